-- Messages for one instance, and when a wait began and a message was had: whoever begins to wait
-- for a message after somebody had it does not get it any more.

alter table inbox add column instance_id text;
alter table subscription add column since integer not null default 0;
alter table delivery add column at integer not null default 0;

create index inbox_topic on inbox (
  -- Serves deliverableTo.
  type, key, instance_id
) where status = 'pending';
