/** Made from migrations/*.sql by `npx vitest run src/stores/sqlite -u`. Not to be edited. */
import type { Migration } from '../migration.ts';

export const MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    name: '0001_state',
    sql: `-- Instances and what they are made of, messages, and what is kept for people to read.
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
`,
  },
  {
    number: 2,
    name: '0002_sagas',
    sql: `-- Work that can be undone, instances that call others, and what one instance has for another.

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
`,
  },
  {
    number: 3,
    name: '0003_lone',
    sql: `-- Lone tokens: what has cost two workers their lives is claimed by itself (D11).

drop index token_claim;

create index token_claim on token (
  -- Serves claimable and outlook: each priority of a handler is a stretch in order of time. With
  -- crashes in it, the row itself is not looked at.
  handler, priority desc, available_at, crashes
) where status = 'ready' and crashes < 2;

create index token_lone on token (
  -- Serves claimableLone and outlook: no claim as usual comes past a lone one.
  handler, available_at
) where status = 'ready' and crashes >= 2;
`,
  },
  {
    number: 4,
    name: '0004_chains',
    sql: `-- Chains: who runs their steps, and how they look to those who know the linear engine they come
-- from. Its tables are views here, with its columns and its states.

-- The handlers that a chain's links call for, as a JSON list. Null: it is no chain.
alter table plan add column links text;

create index plan_links on plan (
  -- Serves linksOf.
  name
) where links is not null;

create view workflow_instance as
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
    from instance
    join token as step
      on step.instance_id = instance.id
         -- The first that is not done, or the last of all.
     and step.id = (select id
                      from token
                     where token.instance_id = instance.id
                       and token.seq is not null
                     order by token.status = 'completed',
                              case token.status when 'completed' then - token.seq else token.seq end
                     limit 1);

create view workflow_step as
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
         json_extract(token.wait, '$.type') as waiting_event_type,
         coalesce(token.wake_at, json_extract(token.wait, '$.until')) as deadline_at,
         case
           when token.status = 'terminated' then 'CANCELED'
           when json_extract(token.last_error, '$.code') = 'LEASE_EXPIRED' then 'LEASE_EXPIRED'
           else json_extract(token.last_error, '$.message')
         end                            as last_error,
         token.created_at               as created_at,
         token.updated_at               as updated_at
    from token
    join instance on instance.id = token.instance_id
   where token.seq is not null;
`,
  },
  {
    number: 5,
    name: '0005_messages',
    sql: `-- Messages for one instance, and when a wait began and a message was had: whoever begins to wait
-- for a message after somebody had it does not get it any more.

alter table inbox add column instance_id text;
alter table subscription add column since integer not null default 0;
alter table delivery add column at integer not null default 0;

create index inbox_topic on inbox (
  -- Serves deliverableTo.
  type, key, instance_id
) where status = 'pending';
`,
  },
  {
    number: 6,
    name: '0006_letters',
    sql: `-- Letters: events for the world outside, in order within an instance, until a target has them.

create table letter (
  -- The order of writing. A number may come again, but never before one that is still here.
  n             integer primary key,
  id            text    not null unique,
  instance_id   text    not null,
  flow          text    not null,
  type          text    not null,
  key           text,
  data          text    not null,
  status        text    not null check (status in ('ready', 'sending', 'dead')),
  attempts      integer not null,
  available_at  integer not null,
  last_error    text,
  created_at    integer not null,
  updated_at    integer not null,
  -- The claim columns. Every write of the row adds one to the version.
  version       integer not null,
  locked_by     text,
  locked_until  integer,
  check ((status = 'sending') = (locked_by is not null)),
  check ((locked_by is null) = (locked_until is null))
) strict;

create index letter_queue on letter (
  -- Serves claimLetters, outlook and pauseLetters: what is before a letter, or behind it.
  instance_id, n
) where status <> 'dead';

create index letter_ready on letter (
  -- Serves claimLetters and outlook.
  available_at
) where status = 'ready';

create index letter_sending on letter (
  -- Serves claimLetters and outlook: whether one of the instance is on its way.
  instance_id
) where status = 'sending';

create index letter_lease on letter (
  -- Serves expiredLetters and outlook.
  locked_until
) where status = 'sending';
`,
  },
  {
    number: 7,
    name: '0007_schedules',
    sql: `-- Schedules: flows that are started at moments of a clock or in intervals.

create table schedule (
  name        text    primary key,
  flow        text    not null,
  -- When and with what, as it was given.
  spec        text    not null,
  status      text    not null check (status in ('active', 'paused')),
  -- The moment it starts an instance for next, and the one it last did. Null: none.
  next_at     integer,
  last_at     integer,
  -- Since when the spec is what it is: intervals are counted from here.
  since       integer not null,
  version     integer not null,
  created_at  integer not null,
  updated_at  integer not null
) strict;

create index schedule_due on schedule (
  -- Serves dueSchedules and outlook.
  flow, next_at
) where status = 'active' and next_at is not null;
`,
  },
  {
    number: 8,
    name: '0008_pauses',
    sql: `-- Pauses: when an instance was suspended. Meanwhile nobody may find its tokens: what the indexes
-- of work and of timers go by is put aside, so that a claim does not even come past them, however
-- many there are. Nothing else of the row changes: who has claimed one goes on to the end of its
-- step.

-- A JSON list, oldest first. Null: it never was.
alter table instance add column pauses text;

-- 1 while it is suspended because something was said of its flow, and not by its own name.
alter table instance add column halted integer check (halted = 1);

create index instance_halted on instance (
  -- Serves heldInstances and outlook.
  id
) where halted is not null;

alter table token add column held_handler text;
alter table token add column held_wake_at integer;

-- The same as before, with what is put aside.

drop view workflow_instance;
drop view workflow_step;

create view workflow_instance as
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
         substr(coalesce(step.handler, step.held_handler), length(instance.flow) + 2)
                                        as current_step_type,
         coalesce(instance.output, 'null') as context,
         instance.created_at            as created_at,
         instance.updated_at            as updated_at,
         case when instance.status = 'completed' then instance.ended_at end as completed_at,
         case when instance.status = 'failed' then instance.ended_at end    as failed_at,
         case when instance.status = 'canceled' then instance.ended_at end  as canceled_at
    from instance
    join token as step
      on step.instance_id = instance.id
         -- The first that is not done, or the last of all.
     and step.id = (select id
                      from token
                     where token.instance_id = instance.id
                       and token.seq is not null
                     order by token.status = 'completed',
                              case token.status when 'completed' then - token.seq else token.seq end
                     limit 1);

create view workflow_step as
  select token.instance_id              as instance_id,
         token.seq                      as step_seq,
         substr(coalesce(token.handler, token.held_handler), length(instance.flow) + 2)
                                        as step_type,
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
         json_extract(token.wait, '$.type') as waiting_event_type,
         coalesce(token.wake_at, token.held_wake_at, json_extract(token.wait, '$.until'))
                                        as deadline_at,
         case
           when token.status = 'terminated' then 'CANCELED'
           when json_extract(token.last_error, '$.code') = 'LEASE_EXPIRED' then 'LEASE_EXPIRED'
           else json_extract(token.last_error, '$.message')
         end                            as last_error,
         token.created_at               as created_at,
         token.updated_at               as updated_at
    from token
    join instance on instance.id = token.instance_id
   where token.seq is not null;

-- What was said of whole flows: the narrowest counts. The flow \`*\` is every flow, version 0 every
-- version.
create table halt (
  flow       text    not null,
  version    integer not null,
  suspended  integer not null check (suspended in (0, 1)),
  at         integer not null,
  said_by    text,
  why        text,
  primary key (flow, version)
) strict, without rowid;
`,
  },
  {
    number: 9,
    name: '0009_search',
    sql: `-- Looking for instances. Every index here is on columns that never change once an instance is
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
`,
  },
  {
    number: 10,
    name: '0010_servers',
    sql: `-- Which handlers the processes at work have: each says so now and then, and takes its word back when
-- it ends. Whoever has not said so again in time is gone. So it can be told of work that nobody has a
-- handler for from work that waits for its turn.
create table server (
  worker    text    primary key,
  -- A list, as JSON text.
  handlers  text    not null,
  until     integer not null
) strict, without rowid;

-- Of two plans of one version, the one that was saved last.
alter table plan add column saved_at integer not null default 0;

create index plan_version on plan (
  -- Serves plansNow.
  name, version, saved_at
);
`,
  },
  {
    number: 11,
    name: '0011_lanes',
    sql: `-- Lanes: where ready tokens wait because of a limit. The token itself is held as those of suspended
-- instances are, so that a claim does not come past it; the rows here say where it waits.

-- The limits it is under, as a JSON list. Null: none.
alter table token add column lanes text;
-- Since when it is due, if it takes its place among others only since it was let through.
alter table token add column due_at integer;
-- How urgent it is, if the queue that it was let to has another number for all.
alter table token add column own_priority integer;

create table lane (
  name         text    primary key,
  -- The numbers of the newest version of the flow that has had a token here. Null: no such limit.
  version      integer not null,
  concurrency  integer,
  rate_max     integer,
  rate_per_ms  integer,
  -- When the last ones began, as a JSON list of moments and how many; for a rate alone.
  log          text,
  -- When there may be room though nobody came or went. Null: never.
  look_at      integer,
  -- Of one that tenants share: the share that had the last turn, or the lane itself.
  turn         text
) strict, without rowid;

create index lane_look on lane (
  -- Serves dueLanes and outlook.
  look_at
) where look_at is not null;

create table lane_token (
  instance_id   text    not null,
  token_id      integer not null,
  lane          text    not null,
  -- Which of its lanes it is, and how many there are without that of its tenant.
  ordinal       integer not null,
  lanes         integer not null,
  state         text    not null check (state in
    ('waiting', 'aside', 'later', 'shelved', 'asleep', 'passed', 'gone')),
  handler       text    not null,
  priority      integer not null,
  -- When its instance began.
  since         integer not null,
  available_at  integer not null,
  -- 1: it was let through and has begun. How many begins nobody has counted yet, and the last.
  begun         integer not null check (begun in (0, 1)),
  owed          integer not null,
  owed_at       integer,
  passed_at     integer,
  primary key (instance_id, token_id, ordinal)
) strict, without rowid;

create index lane_queue on lane_token (
  -- Serves queueOf, laneFacts, standingIn, unservedIn, dropGone and dropIdleLane.
  lane, state, priority desc, since, instance_id, token_id
);

create index lane_later on lane_token (
  -- Serves duePlaces and outlook.
  available_at
) where state = 'later';

create index lane_shelf on lane_token (
  -- Serves servedPlaces and outlook: what nobody had a handler for.
  handler
) where state = 'shelved';

create index lane_owing on lane_token (
  -- Serves owingIn.
  lane
) where owed > 0;

-- What has come to lanes and left them: each commit adds its own, and whoever looks takes them away.
create table lane_news (
  n            integer primary key,
  lane         text    not null,
  -- By the version of the flow that it runs. Null: it left.
  version      integer,
  concurrency  integer,
  rate_max     integer,
  rate_per_ms  integer
) strict;
`,
  },
  {
    number: 12,
    name: '0012_items',
    sql: `-- Scopes of maps keep what comes of their items, each under its number, in a space of its own. Which
-- spaces there are is said by the table, and SQLite alters no check: it is made anew.

create table variable_anew (
  instance_id  text    not null,
  scope_id     integer not null,
  space        text    not null check (space in ('results', 'vars', 'items')),
  name         text    not null,
  -- Grows with every first write: names come back in the order in which they came.
  place        integer not null,
  value        text    not null,
  primary key (instance_id, scope_id, space, name)
) strict, without rowid;

insert into variable_anew (instance_id, scope_id, space, name, place, value)
select instance_id, scope_id, space, name, place, value
  from variable;

drop table variable;

alter table variable_anew rename to variable;
`,
  },
  {
    number: 13,
    name: '0013_tasks',
    sql: `-- Work that waits for people. All of a task stands in the wait of its token; here is what people
-- look for it by, written by the commits that alter it and gone with the one that ends it.

create table task (
  instance_id   text    not null,
  token_id      integer not null,
  node_id       text    not null,
  kind          text    not null check (kind in ('task', 'approval')),
  flow          text    not null,
  tenant        text,
  assignee      text,
  priority      integer not null,
  due_at        integer,
  follow_up_at  integer,
  created_at    integer not null,
  primary key (instance_id, token_id)
) strict, without rowid;

-- The lists that a task is in: of all that are open, of its flow, of its tenant, of whom it is
-- assigned to, and of everybody it is offered to. Each can be read from any place on, in any order.
create table task_list (
  instance_id  text    not null,
  token_id     integer not null,
  list         text    not null check (list in
    ('open', 'flow', 'tenant', 'assignee', 'all', 'user', 'group')),
  -- Whose list it is; empty where there is only one.
  name         text    not null,
  by_created   integer not null,
  -- What has no date comes last.
  by_due       integer not null,
  by_priority  integer not null,
  primary key (instance_id, token_id, list, name)
) strict, without rowid;

create index task_list_created on task_list (
  -- Serves tasksByCreated.
  list, name, by_created, instance_id, token_id
);

create index task_list_due on task_list (
  -- Serves tasksByDue.
  list, name, by_due, instance_id, token_id
);

create index task_list_priority on task_list (
  -- Serves tasksByPriority.
  list, name, by_priority, instance_id, token_id
);
`,
  },
  {
    number: 14,
    name: '0014_listening',
    sql: `-- Listening: a token that hears every message of its kind that is published from some moment on, one
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
`,
  },
  {
    number: 15,
    name: '0015_tenants',
    sql: `-- Tenants are kept apart: a message may be for instances of one tenant alone, and each tenant has
-- business keys of its own.

-- Null: for all.
alter table inbox add column tenant text;
-- The traceparent of whoever published it.
alter table inbox add column trace text;

create index letter_dead on letter (
  -- Serves backlog.
  n
) where status = 'dead';

-- Keys of tenants have the tenant in them (src/model/own-names.ts).
update business_key
   set key = char(31) || length(instance.tenant) || ' ' || instance.tenant || business_key.key
  from instance
 where instance.id = business_key.instance_id
   and length(instance.tenant) <= 60;

-- Of a longer tenant they would have its hash, which SQLite cannot tell: such a key is free.
delete from business_key
 where instance_id in (select id from instance where length(tenant) > 60);
`,
  },
  {
    number: 16,
    name: '0016_receipts',
    sql: `-- What was asked under a key, and what came of it, for a while. What is over counts as not there, and
-- whoever asks next takes its place.
create table receipt (
  key         text    not null primary key,
  -- JSON text.
  body        text    not null,
  at          integer not null,
  expires_at  integer not null,
  -- How often it was asked for since: whoever was the first finds a 1.
  asked       integer not null
) strict;

create index receipt_over on receipt (
  -- Serves clearReceipts.
  expires_at
);
`,
  },
  {
    number: 17,
    name: '0017_letter_traces',
    sql: `-- The traceparent of whoever wrote it; null where that had none.
alter table letter add column trace text;
`,
  },
  {
    number: 18,
    name: '0018_incidents',
    sql: `-- Looking for what waits to be mended. Few tokens wait after something failed, and the others do not
-- write it.
create index token_incident on token (
  -- Serves walkTroubled and tallyCauses.
  instance_id
) where status = 'waiting' and last_error is not null;
`,
  },
];
