-- Listening: a token that hears every message of its kind that is published from some moment on, one
-- after the other. Which those are is written down as they are published, for each instance in which
-- someone listens: what becomes of a message otherwise, and who else listens, is nothing to it.

-- 0: it only waits. 1: it listens. 2: it listens, and has heard something that it was not told yet.
alter table perdure.subscription add column listens smallint not null default 0;

drop index perdure.subscription_topic;

create index subscription_topic on perdure.subscription (
  -- Serves awaited, deliverable, consume and outlook.
  shard, type, key
) where listens = 0;

create index subscription_wide on perdure.subscription (
  -- Serves awaited and outlook.
  shard
) where listens = 0 and (type = '$any' or key = '$any');

create index subscription_listening on perdure.subscription (
  -- Serves publish.
  shard, type, key
) where listens > 0;

create table perdure.unheard (
  -- That of the instance.
  shard          smallint not null,
  instance_id    text     collate "C" not null,
  -- The order of publishing.
  n              bigint   not null,
  message_shard  smallint not null,
  message_id     text     collate "C" not null,
  primary key (shard, instance_id, n)
);

create index unheard_message on perdure.unheard (
  -- Serves deliverable, dropUnheard, messagesAfter and removeUnheard.
  shard, message_id, instance_id
);

create index inbox_type on perdure.inbox (
  -- Serves catchUp.
  shard, type, published_at
) where status = 'pending';

-- An instance has a message once for whoever waits, and once for those who listen: 1.
alter table perdure.delivery add column heard smallint not null default 0;
alter table perdure.delivery
  drop constraint delivery_pkey,
  add constraint delivery_pkey primary key (shard, message_id, instance_id, heard);
