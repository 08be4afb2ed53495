/** Made from migrations/*.sql by `npx vitest run src/stores/postgres -u`. Not to be edited. */
import type { Migration } from '../migration.ts';

export const MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    name: '0001_state',
    sql: `-- Instances and what they are made of, messages, and what is kept for people to read. The columns
-- are those of the SQLite store; \`perdure\` stands for the schema the program names.
--
-- Every key of what belongs to an instance begins with a shard, a hash of the instance's id; keys
-- and messages are sharded by their own (D18). Texts that are keys compare by their bytes. Moments
-- are milliseconds since 1970. JSON is text, as it came: jsonb would reorder keys and refuse \\u0000.

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
  -- Serves claimable and nextDue: each priority of a handler is a stretch in order of time.
  shard, handler, (- priority), available_at
) where status = 'ready' and handler is not null;

create index token_lone on perdure.token (
  -- Serves claimableLone and loneSince: what has cost two workers their lives is claimed alone.
  shard, handler, (- priority), available_at
) where status = 'ready' and crashes >= 2;

create index token_due on perdure.token (
  -- Serves due and nextDue.
  shard, wake_at
) where status = 'waiting' and wake_at is not null;

create index token_lease on perdure.token (
  -- Serves expired and nextDue.
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
  -- Serves awaited: what is over is never looked at again.
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
`,
  },
  {
    number: 2,
    name: '0002_chains',
    sql: `-- Chains: who runs their steps, and how they look to those who know the linear engine they come
-- from. Its tables are views here, with its columns and its states.

-- The handlers that a chain's links call for, as a JSON list. Null: it is no chain.
alter table perdure.plan add column links text;

create index plan_links on perdure.plan (
  -- Serves linksOf.
  name
) where links is not null;

create function perdure.member(body text, name text) returns text
  -- A member of a JSON text as text. Where it holds what no text of Postgres can (\\u0000, half a
  -- surrogate pair), the JSON text itself: a view must not fail for one row.
  language sql immutable
  return case when body ~ '\\\\u(0000|d[89a-f])' then body else body::json ->> name end;

create view perdure.workflow_instance as
  select instance.id                    as instance_id,
         instance.flow                  as workflow_type,
         instance.flow_version          as workflow_version,
         instance.key                   as biz_key,
         case instance.status
           when 'completed' then 'COMPLETED'
           when 'failed' then 'FAILED'
           when 'canceled' then 'CANCELED'
           else 'RUNNING'
         end                            as status,
         step.seq                       as current_step_seq,
         substr(step.handler, length(instance.flow) + 2) as current_step_type,
         coalesce(instance.output, 'null') as context,
         instance.created_at            as created_at,
         instance.updated_at            as updated_at,
         case when instance.status = 'completed' then instance.ended_at end as completed_at,
         case when instance.status = 'failed' then instance.ended_at end    as failed_at,
         case when instance.status = 'canceled' then instance.ended_at end  as canceled_at
    from perdure.instance
    join perdure.token as step
      on (step.shard, step.instance_id) = (instance.shard, instance.id)
         -- The first that is not done, or the last of all.
     and step.id = (select id
                      from perdure.token
                     where (token.shard, token.instance_id) = (instance.shard, instance.id)
                       and token.seq is not null
                     order by token.status = 'completed',
                              case token.status when 'completed' then - token.seq else token.seq end
                     limit 1);

create view perdure.workflow_step as
  select token.instance_id              as instance_id,
         token.seq                      as step_seq,
         substr(token.handler, length(instance.flow) + 2) as step_type,
         case token.status
           when 'created' then 'PENDING'
           when 'ready' then 'READY'
           when 'executing' then 'RUNNING'
           when 'waiting' then 'WAITING'
           when 'completed' then 'DONE'
           else 'DEAD'
         end                            as status,
         token.attempts                 as attempts,
         token.max_attempts             as max_attempts,
         case when token.status in ('ready', 'executing') then token.available_at
         end                            as next_run_at,
         token.locked_by                as locked_by,
         token.locked_until             as locked_until,
         perdure.member(token.wait, 'type') as waiting_event_type,
         -- Not by member: what that gives back whole is no number.
         coalesce(token.wake_at, substring(token.wait from '"until":([0-9]+)')::bigint)
                                        as deadline_at,
         case
           when token.status = 'terminated' then 'CANCELED'
           when perdure.member(token.last_error, 'code') = 'LEASE_EXPIRED' then 'LEASE_EXPIRED'
           else perdure.member(token.last_error, 'message')
         end                            as last_error,
         token.created_at               as created_at,
         token.updated_at               as updated_at
    from perdure.token
    join perdure.instance on (instance.shard, instance.id) = (token.shard, token.instance_id)
   where token.seq is not null;
`,
  },
  {
    number: 3,
    name: '0003_messages',
    sql: `-- Messages for one instance, and when a wait began and a message was had: whoever begins to wait
-- for a message after somebody had it does not get it any more.

alter table perdure.inbox add column instance_id text collate "C";
alter table perdure.subscription add column since bigint not null default 0;
alter table perdure.delivery add column at bigint not null default 0;

create index inbox_topic on perdure.inbox (
  -- Serves deliverableTo.
  shard, type, key, instance_id
) where status = 'pending';
`,
  },
  {
    number: 4,
    name: '0004_letters',
    sql: `-- Letters: events for the world outside, in order within an instance, until a target has them.

create table perdure.letter (
  shard         smallint not null,
  id            text     collate "C" not null,
  -- The order of writing; that of one instance's commits is kept, since they come one by one.
  n             bigint   not null generated always as identity,
  instance_id   text     collate "C" not null,
  flow          text     collate "C" not null,
  type          text     collate "C" not null,
  key           text     collate "C",
  data          text     not null,
  status        text     collate "C" not null check (status in ('ready', 'sending', 'dead')),
  attempts      integer  not null,
  available_at  bigint   not null,
  last_error    text,
  created_at    bigint   not null,
  updated_at    bigint   not null,
  -- The claim columns. Every write of the row adds one to the version.
  version       bigint   not null,
  locked_by     text     collate "C",
  locked_until  bigint,
  primary key (shard, id),
  check ((status = 'sending') = (locked_by is not null)),
  check ((locked_by is null) = (locked_until is null))
);

create index letter_list on perdure.letter (
  -- Serves letters.
  shard, n
);

create index letter_queue on perdure.letter (
  -- Serves claimLetters, nextLetter and failedLetters: what is before a letter, or behind it.
  shard, instance_id, n
) where status <> 'dead';

create index letter_ready on perdure.letter (
  -- Serves claimLetters and nextLetter.
  shard, available_at
) where status = 'ready';

create index letter_sending on perdure.letter (
  -- Serves claimLetters and nextLetter: whether one of the instance is on its way.
  shard, instance_id
) where status = 'sending';

create index letter_lease on perdure.letter (
  -- Serves expiredLetters and nextLetter.
  shard, locked_until
) where status = 'sending';
`,
  },
  {
    number: 5,
    name: '0005_schedules',
    sql: `-- Schedules: flows that are started at moments of a clock or in intervals.

create table perdure.schedule (
  -- By its own name.
  shard       smallint not null,
  name        text     collate "C" not null,
  flow        text     collate "C" not null,
  -- When and with what, as it was given.
  spec        text     not null,
  status      text     collate "C" not null check (status in ('active', 'paused')),
  -- The moment it starts an instance for next, and the one it last did. Null: none.
  next_at     bigint,
  last_at     bigint,
  -- Since when the spec is what it is: intervals are counted from here.
  since       bigint   not null,
  version     bigint   not null,
  created_at  bigint   not null,
  updated_at  bigint   not null,
  primary key (shard, name)
);

create index schedule_due on perdure.schedule (
  -- Serves dueSchedules and nextSchedule.
  shard, flow, next_at
) where status = 'active' and next_at is not null;
`,
  },
];
