-- Messages for one instance, and when a wait began and a message was had: whoever begins to wait
-- for a message after somebody had it does not get it any more.

alter table perdure.inbox add column instance_id text collate "C";
alter table perdure.subscription add column since bigint not null default 0;
alter table perdure.delivery add column at bigint not null default 0;

create index inbox_topic on perdure.inbox (
  -- Serves deliverableTo.
  shard, type, key, instance_id
) where status = 'pending';
