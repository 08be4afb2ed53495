-- Looking for instances. Every index here is on columns that never change once an instance is
-- there, or that most instances never have: what each step writes is not slowed by them.

create index instance_flow on instance (
  -- Serves walkFlow.
  flow, id
);

create index instance_tenant on instance (
  -- Serves walkTenant.
  tenant, id
) where tenant is not null;

create index instance_key on instance (
  -- Serves walkKey: also those that are over, whose key may be another's by now.
  key, id
) where key is not null;

create index instance_parent on instance (
  -- Serves walkParent.
  parent_instance_id, id
) where parent_instance_id is not null;

create index instance_faulty on instance (
  -- Serves walkFaulty: whatever has failed.
  id
) where fault is not null;

create index instance_stalled on instance (
  -- Serves walkStalled.
  id
) where stalled is not null;

-- What a flow has its instances found by. Numbers stand here twice: as text, and to be compared.
create table tag (
  instance_id  text not null,
  name         text not null,
  type         text not null check (type in ('text', 'number', 'boolean')),
  value        text not null,
  number       real,
  primary key (instance_id, name),
  check ((type = 'number') = (number is not null))
) strict, without rowid;

create index tag_value on tag (
  -- Serves walkTag.
  name, type, value, instance_id
);

create index tag_number on tag (
  -- Serves walkRange and rangeBeyond.
  name, number, instance_id
) where number is not null;

-- Ids that somebody chose for instances which were removed since: no other instance may have them.
-- What is still on its way for the old one would be taken for the new one's.
create table pruned (
  id  text    not null primary key,
  at  integer not null
) strict, without rowid;
