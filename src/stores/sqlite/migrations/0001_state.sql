-- Instances and what they are made of, messages, and what is kept for people to read.
--
-- Moments are milliseconds since 1970. JSON is text, as it came: keys in their order and with any
-- character. Absent is null. Small rows that are found by their key lie in the key (without rowid);
-- tables that only grow, or hold large values, are ordinary ones: appending is cheaper there.

create table migration (
  number      integer primary key,
  name        text    not null,
  applied_at  integer not null
) strict;

create table plan (
  hash     text    primary key,
  name     text    not null,
  version  integer not null,
  body     text    not null
) strict;

create table instance (
  id            text    primary key,
  plan_hash     text    not null,
  flow          text    not null,
  flow_version  integer not null,
  status        text    not null check (status in
    ('running', 'suspended', 'compensating', 'completed', 'failed', 'canceled')),
  version       integer not null,
  counter       integer not null,
  key           text,
  tenant        text,
  priority      integer not null,
  output        text,
  fault         text,
  stalled       text,
  created_at    integer not null,
  updated_at    integer not null,
  ended_at      integer
) strict, without rowid;

-- Beside the instance and not in it: every commit writes that row anew, and an input of 10 KB in it
-- doubles what a commit costs.
create table instance_input (
  instance_id  text primary key,
  body         text not null
) strict;

-- There is a row while the instance is open, so the primary key is what makes keys unique.
create table business_key (
  flow         text not null,
  key          text not null,
  instance_id  text not null,
  primary key (flow, key)
) strict, without rowid;

create table scope (
  instance_id  text    not null,
  id           integer not null,
  parent_id    integer,
  owner_id     integer,
  node_id      text,
  item_index   integer,
  item         text,
  primary key (instance_id, id)
) strict, without rowid;

create table variable (
  instance_id  text    not null,
  scope_id     integer not null,
  space        text    not null check (space in ('results', 'vars')),
  name         text    not null,
  -- Grows with every first write: names come back in the order in which they came.
  place        integer not null,
  value        text    not null,
  primary key (instance_id, scope_id, space, name)
) strict, without rowid;

create table token (
  instance_id   text    not null,
  id            integer not null,
  scope_id      integer not null,
  node_id       text    not null,
  via           text,
  handler       text,
  seq           integer,
  status        text    not null check (status in
    ('created', 'ready', 'executing', 'waiting', 'completed', 'failed', 'terminated')),
  mode          text    not null check (mode in ('forward', 'compensation')),
  groups        text,
  visit         integer not null,
  attempts      integer not null,
  crashes       integer not null,
  max_attempts  integer not null,
  priority      integer not null,
  available_at  integer not null,
  wait          text,
  wake_at       integer,
  wake          text,
  last_error    text,
  hops          integer not null,
  created_at    integer not null,
  updated_at    integer not null,
  -- The claim columns. Every write of the row adds one to the version, renewing a lease aside.
  version       integer not null,
  locked_by     text,
  locked_at     integer,
  locked_until  integer,
  primary key (instance_id, id),
  check ((status = 'executing') = (locked_by is not null)),
  check ((locked_by is null) = (locked_until is null))
) strict, without rowid;

create index token_claim on token (
  -- Serves claimable and outlook: each priority of a handler is a stretch in order of time.
  handler, priority desc, available_at
) where status = 'ready';

create index token_due on token (
  -- Serves due and outlook.
  wake_at
) where status = 'waiting' and wake_at is not null;

create index token_lease on token (
  -- Serves expired and outlook.
  locked_until
) where status = 'executing';

create table latch (
  instance_id  text    not null,
  scope_id     integer not null,
  node_id      text    not null,
  group_id     integer not null,
  fired        integer not null check (fired in (0, 1)),
  primary key (instance_id, scope_id, group_id, node_id)
) strict, without rowid;

create table subscription (
  instance_id  text    not null,
  token_id     integer not null,
  type         text    not null,
  key          text    not null,
  primary key (instance_id, token_id, type, key)
) strict, without rowid;

create index subscription_topic on subscription (
  -- Serves awaited and deliverable.
  type, key
);

create table history (
  instance_id  text    not null,
  n            integer not null,
  commit_id    text    not null,
  at           integer not null,
  changes      text    not null,
  -- A commit id is looked up by this too: its row is the one after the version it expected.
  primary key (instance_id, n)
) strict;

create table snapshot (
  instance_id  text    not null,
  n            integer not null,
  body         text    not null,
  primary key (instance_id, n)
) strict;

create table inbox (
  -- The order of publishing.
  n             integer primary key,
  id            text    not null unique,
  type          text    not null,
  key           text    not null,
  data          text    not null,
  status        text    not null check (status in ('pending', 'consumed')),
  published_at  integer not null,
  expires_at    integer not null
) strict;

create index inbox_pending on inbox (
  -- Serves awaited and outlook: what is over is never looked at again.
  expires_at
) where status = 'pending';

create table delivery (
  message_id   text not null,
  instance_id  text not null,
  primary key (message_id, instance_id)
) strict, without rowid;

create table dropped (
  n            integer primary key,
  instance_id  text    not null,
  token_id     integer not null,
  version      integer not null,
  worker       text    not null,
  reason       text    not null,
  at           integer not null
) strict;

create index dropped_instance on dropped (
  -- Serves droppedNotes.
  instance_id
);
