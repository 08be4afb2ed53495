-- Looking for instances. Every index here is on columns that never change once an instance is
-- there, or that most instances never have: what each step writes is not slowed by them, and stays
-- on its page. (A predicate on the status would have the last write of every instance leave it.)

create index instance_flow on perdure.instance (
  -- Serves walkFlow.
  shard, flow, id
);

create index instance_tenant on perdure.instance (
  -- Serves walkTenant.
  shard, tenant, id
) where tenant is not null;

create index instance_key on perdure.instance (
  -- Serves walkKey: also those that are over, whose key may be another's by now.
  shard, key, id
) where key is not null;

create index instance_parent on perdure.instance (
  -- Serves walkParent.
  shard, parent_instance_id, id
) where parent_instance_id is not null;

create index instance_faulty on perdure.instance (
  -- Serves walkFaulty: whatever has failed.
  shard, id
) where fault is not null;

create index instance_stalled on perdure.instance (
  -- Serves walkStalled.
  shard, id
) where stalled is not null;

-- What a flow has its instances found by. Numbers stand here twice: as text, and to be compared.
create table perdure.tag (
  shard        smallint not null,
  instance_id  text     collate "C" not null,
  name         text     collate "C" not null,
  type         text     collate "C" not null check (type in ('text', 'number', 'boolean')),
  value        text     collate "C" not null,
  number       double precision,
  primary key (shard, instance_id, name),
  check ((type = 'number') = (number is not null))
);

create index tag_value on perdure.tag (
  -- Serves walkTag.
  shard, name, type, value, instance_id
);

create index tag_number on perdure.tag (
  -- Serves walkRange and rangeBeyond.
  shard, name, number, instance_id
) where number is not null;

-- Ids that somebody chose for instances which were removed since: no other instance may have them.
-- What is still on its way for the old one would be taken for the new one's.
create table perdure.pruned (
  shard  smallint not null,
  id     text     collate "C" not null,
  at     bigint   not null,
  primary key (shard, id)
);

create function perdure.text_of(body text, name text) returns text
  -- A member of a JSON text as text, to be compared. What no text of Postgres can hold (\u0000,
  -- half a surrogate pair) is another character then, instead of an error.
  language sql immutable
  return regexp_replace(body, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::json ->> name;
