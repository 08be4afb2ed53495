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

-- Programs of several versions share a database: these functions are never altered. What a later
-- version needs gets another name.

create function perdure.hearers(shards smallint[])
  -- Instances in which something is still to be heard, from one to the next.
  returns table (shard smallint, instance_id text)
  language sql
  stable
as $$
  with recursive hearer (shard, instance_id) as (
    select s.shard, f.instance_id
      from unnest(shards) as s (shard)
     cross join lateral (
           select u.instance_id
             from perdure.unheard as u
            where u.shard = s.shard
            order by u.instance_id
            limit 1) as f
     union all
    select h.shard, f.instance_id
      from hearer as h
     cross join lateral (
           select u.instance_id
             from perdure.unheard as u
            where u.shard = h.shard and u.instance_id > h.instance_id
            order by u.instance_id
            limit 1) as f
  )
  select hearer.shard, hearer.instance_id from hearer
$$;

create function perdure.next_heard(of_shard smallint, of_instance text, told bigint)
  -- What an instance hears next, and the first of its tokens that listens to it. Nothing while it is
  -- suspended, or while one of them is busy.
  returns table (shard smallint, id text, n bigint, published_at bigint, token_id bigint)
  language sql
  stable
as $$
  select m.shard, m.id, m.n, m.published_at, one.token_id
    from perdure.unheard as u
    join perdure.inbox as m on (m.shard, m.id) = (u.message_shard, u.message_id)
   cross join lateral (
         select min(s.token_id) as token_id
           from perdure.subscription as s
          where (s.shard, s.instance_id) = (u.shard, u.instance_id)
            and s.listens = 1 and s.since <= m.published_at
            and s.type in (m.type, '$any')
            and (s.key in (m.key, '$any') or m.instance_id is not null)) as one
   where (u.shard, u.instance_id) = (of_shard, of_instance)
     and (select i.status from perdure.instance as i
           where (i.shard, i.id) = (of_shard, of_instance)) <> 'suspended'
     and (select count(*) from perdure.subscription as s
           where (s.shard, s.instance_id) = (of_shard, of_instance) and s.listens = 2) = 0
     and m.expires_at >= perdure.moment(told)
     and one.token_id is not null
   order by u.n
   limit 1
$$;
