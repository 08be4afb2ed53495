-- Instances and what they are made of, messages, and what is kept for people to read. The columns
-- are those of the SQLite store; `perdure` stands for the schema the program names.
--
-- Every key of what belongs to an instance begins with a shard, a hash of the instance's id; keys
-- and messages are sharded by their own (D18). Texts that are keys compare by their bytes. Moments
-- are milliseconds since 1970. JSON is text, as it came: jsonb would reorder keys and refuse \u0000.

create function perdure.moment(told bigint) returns bigint
  -- The moment of a statement: by the clock of the database, unless a test decides.
  language sql stable
  return coalesce(told, (extract(epoch from statement_timestamp()) * 1000)::bigint);

create table perdure.migration (
  number      integer primary key,
  name        text    not null,
  applied_at  bigint  not null
);

create table perdure.plan (
  hash     text    collate "C" primary key,
  name     text    not null,
  version  integer not null,
  body     text    not null
);

create table perdure.instance (
  shard               smallint not null,
  id                  text     collate "C" not null,
  plan_hash           text     not null,
  flow                text     not null,
  flow_version        integer  not null,
  status              text     not null check (status in
    ('running', 'suspended', 'compensating', 'completed', 'failed', 'canceled')),
  version             bigint   not null,
  counter             bigint   not null,
  key                 text,
  tenant              text,
  priority            bigint   not null,
  output              text,
  fault               text,
  stalled             text,
  created_at          bigint   not null,
  updated_at          bigint   not null,
  ended_at            bigint,
  outcome             text     check (outcome in ('compensated')),
  parent_instance_id  text,
  parent_token_id     bigint,
  primary key (shard, id)
);

create table perdure.instance_input (
  shard        smallint not null,
  instance_id  text     collate "C" not null,
  body         text     not null,
  primary key (shard, instance_id)
);

create table perdure.business_key (
  shard        smallint not null,
  flow         text     collate "C" not null,
  key          text     collate "C" not null,
  instance_id  text     collate "C" not null,
  primary key (shard, flow, key)
);

create table perdure.scope (
  shard        smallint not null,
  instance_id  text     collate "C" not null,
  id           bigint   not null,
  parent_id    bigint,
  owner_id     bigint,
  node_id      text,
  item_index   integer,
  item         text,
  drains_id    bigint,
  primary key (shard, instance_id, id)
);

create table perdure.variable (
  shard        smallint not null,
  instance_id  text     collate "C" not null,
  scope_id     bigint   not null,
  space        text     collate "C" not null check (space in ('results', 'vars')),
  name         text     collate "C" not null,
  -- Grows with every first write: names come back in the order in which they came.
  place        bigint   not null,
  value        text     not null,
  primary key (shard, instance_id, scope_id, space, name)
);

create table perdure.token (
  shard         smallint not null,
  instance_id   text     collate "C" not null,
  id            bigint   not null,
  scope_id      bigint   not null,
  node_id       text     not null,
  via           text,
  handler       text     collate "C",
  seq           integer,
  status        text     collate "C" not null check (status in
    ('created', 'ready', 'executing', 'waiting', 'completed', 'failed', 'terminated')),
  mode          text     not null check (mode in ('forward', 'compensation')),
  groups        text,
  visit         integer  not null,
  attempts      integer  not null,
  crashes       integer  not null,
  max_attempts  bigint   not null,
  priority      bigint   not null,
  available_at  bigint   not null,
  wait          text,
  wake_at       bigint,
  wake          text,
  last_error    text,
  hops          integer  not null,
  created_at    bigint   not null,
  updated_at    bigint   not null,
  -- The claim columns. Every write of the row adds one to the version, renewing a lease aside.
  version       bigint   not null,
  locked_by     text     collate "C",
  locked_at     bigint,
  locked_until  bigint,
  primary key (shard, instance_id, id),
  check ((status = 'executing') = (locked_by is not null)),
  check ((locked_by is null) = (locked_until is null))
);

create index token_claim on perdure.token (
  -- Serves claimable and outlook: each priority of a handler is a stretch in order of time.
  shard, handler, (- priority), available_at
) where status = 'ready' and handler is not null;

create index token_lone on perdure.token (
  -- Serves claimableLone and outlook: what has cost two workers their lives is claimed alone.
  shard, handler, (- priority), available_at
) where status = 'ready' and crashes >= 2;

create index token_due on perdure.token (
  -- Serves due and outlook.
  shard, wake_at
) where status = 'waiting' and wake_at is not null;

create index token_lease on perdure.token (
  -- Serves expired and outlook.
  shard, locked_until
) where status = 'executing';

create table perdure.latch (
  shard        smallint not null,
  instance_id  text     collate "C" not null,
  scope_id     bigint   not null,
  node_id      text     collate "C" not null,
  group_id     bigint   not null,
  fired        smallint not null check (fired in (0, 1)),
  primary key (shard, instance_id, scope_id, group_id, node_id)
);

create table perdure.subscription (
  shard        smallint not null,
  instance_id  text     collate "C" not null,
  token_id     bigint   not null,
  type         text     collate "C" not null,
  key          text     collate "C" not null,
  primary key (shard, instance_id, token_id, type, key)
);

create index subscription_topic on perdure.subscription (
  -- Serves awaited and deliverable.
  shard, type, key
);

create table perdure.undo (
  shard        smallint not null,
  instance_id  text     collate "C" not null,
  id           bigint   not null,
  saga_id      bigint   not null,
  node_id      text     not null,
  token_id     bigint   not null,
  visit        integer  not null,
  result       text,
  item_index   integer,
  item         text,
  in_doubt     smallint not null check (in_doubt in (0, 1)),
  status       text     not null check (status in ('pending', 'completed', 'failed')),
  by_id        bigint,
  fault        text,
  primary key (shard, instance_id, id)
);

create table perdure.history (
  shard        smallint not null,
  instance_id  text     collate "C" not null,
  n            bigint   not null,
  commit_id    text     not null,
  at           bigint   not null,
  changes      text     not null,
  -- A commit id is looked up by this too: its row is the one after the version it expected.
  primary key (shard, instance_id, n)
);

create table perdure.snapshot (
  shard        smallint not null,
  instance_id  text     collate "C" not null,
  n            bigint   not null,
  body         text     not null,
  primary key (shard, instance_id, n)
);

create table perdure.inbox (
  -- By the message's own id.
  shard         smallint not null,
  id            text     collate "C" not null,
  -- The order of publishing.
  n             bigint   not null generated always as identity,
  type          text     collate "C" not null,
  key           text     collate "C" not null,
  data          text     not null,
  status        text     not null check (status in ('pending', 'consumed')),
  published_at  bigint   not null,
  expires_at    bigint   not null,
  primary key (shard, id)
);

create index inbox_pending on perdure.inbox (
  -- Serves awaited and outlook: what is over is never looked at again.
  shard, expires_at
) where status = 'pending';

create table perdure.delivery (
  -- By the instance that had it.
  shard        smallint not null,
  message_id   text     collate "C" not null,
  instance_id  text     collate "C" not null,
  primary key (shard, message_id, instance_id)
);

create table perdure.outbox (
  shard        smallint not null,
  id           text     collate "C" not null,
  -- The order of posting; that of one instance's commits is kept, since they come one by one.
  n            bigint   not null generated always as identity,
  instance_id  text     collate "C" not null,
  body         text     not null,
  primary key (shard, id)
);

create index outbox_order on perdure.outbox (
  -- Serves posts.
  shard, n
);

create table perdure.dropped (
  shard        smallint not null,
  n            bigint   not null generated always as identity,
  instance_id  text     collate "C" not null,
  token_id     bigint   not null,
  version      bigint   not null,
  worker       text     not null,
  reason       text     not null,
  at           bigint   not null,
  primary key (shard, instance_id, n)
);
