-- Listening: a token that hears every message of its kind that is published from some moment on, one
-- after the other. Which those are is written down as they are published, for each instance in which
-- someone listens: what becomes of a message otherwise, and who else listens, is nothing to it.

-- 0: it only waits. 1: it listens. 2: it listens, and has heard something that it was not told yet.
alter table subscription add column listens integer not null default 0;

drop index subscription_topic;

create index subscription_topic on subscription (
  -- Serves awaited, deliverable, consume and outlook.
  type, key
) where listens = 0;

create index subscription_wide on subscription (
  -- Serves awaited and outlook.
  instance_id
) where listens = 0 and (type = '$any' or key = '$any');

create index subscription_listening on subscription (
  -- Serves tell.
  type, key
) where listens > 0;

create table unheard (
  instance_id  text    not null,
  -- The order of publishing.
  n            integer not null,
  message_id   text    not null,
  primary key (instance_id, n)
) strict, without rowid;

create index unheard_message on unheard (
  -- Serves deliverable, dropUnheard, messagesAfter and removeUnheard.
  message_id, instance_id
);

create index inbox_type on inbox (
  -- Serves catchUp.
  type, published_at
) where status = 'pending';

-- An instance has a message once for whoever waits, and once for those who listen. SQLite alters no
-- primary key: the table is made anew.
create table delivery_anew (
  message_id   text    not null,
  instance_id  text    not null,
  at           integer not null default 0,
  -- 1: by those who listen.
  heard        integer not null default 0,
  primary key (message_id, instance_id, heard)
) strict, without rowid;

insert into delivery_anew (message_id, instance_id, at)
select message_id, instance_id, at
  from delivery;

drop table delivery;

alter table delivery_anew rename to delivery;
