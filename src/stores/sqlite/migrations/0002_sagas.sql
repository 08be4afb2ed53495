-- Work that can be undone, instances that call others, and what one instance has for another.

alter table instance add column outcome text check (outcome in ('compensated'));

-- Who called it; both or neither.
alter table instance add column parent_instance_id text;
alter table instance add column parent_token_id integer;

alter table scope add column drains_id integer;

-- Those that failed outlive their instance: somebody must see what could not be undone.
create table undo (
  instance_id  text    not null,
  id           integer not null,
  saga_id      integer not null,
  node_id      text    not null,
  token_id     integer not null,
  visit        integer not null,
  result       text,
  item_index   integer,
  item         text,
  in_doubt     integer not null check (in_doubt in (0, 1)),
  status       text    not null check (status in ('pending', 'completed', 'failed')),
  by_id        integer,
  fault        text,
  primary key (instance_id, id)
) strict, without rowid;

-- There is a row until the post was carried, whatever has become of the instance by then.
create table outbox (
  -- The order of posting. A number may come again, but never before one that is still here.
  n            integer primary key,
  id           text    not null unique,
  instance_id  text    not null,
  body         text    not null
) strict;
