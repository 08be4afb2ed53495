-- The schema after the last migration, made by `npx vitest run src/stores/sqlite -u`.

CREATE TABLE migration (
  number      integer primary key,
  name        text    not null,
  applied_at  integer not null
) strict;

CREATE TABLE plan (
  hash     text    primary key,
  name     text    not null,
  version  integer not null,
  body     text    not null
, links text, saved_at integer not null default 0) strict;

CREATE TABLE instance (
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
, outcome text check (outcome in ('compensated')), parent_instance_id text, parent_token_id integer, pauses text, halted integer check (halted = 1)) strict, without rowid;

CREATE TABLE instance_input (
  instance_id  text primary key,
  body         text not null
) strict;

CREATE TABLE business_key (
  flow         text not null,
  key          text not null,
  instance_id  text not null,
  primary key (flow, key)
) strict, without rowid;

CREATE TABLE scope (
  instance_id  text    not null,
  id           integer not null,
  parent_id    integer,
  owner_id     integer,
  node_id      text,
  item_index   integer,
  item         text, drains_id integer,
  primary key (instance_id, id)
) strict, without rowid;

CREATE TABLE token (
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
  locked_until  integer, held_handler text, held_wake_at integer, lanes text, due_at integer, own_priority integer,
  primary key (instance_id, id),
  check ((status = 'executing') = (locked_by is not null)),
  check ((locked_by is null) = (locked_until is null))
) strict, without rowid;

CREATE INDEX token_due on token (
  -- Serves due and outlook.
  wake_at
) where status = 'waiting' and wake_at is not null;

CREATE INDEX token_lease on token (
  -- Serves expired and outlook.
  locked_until
) where status = 'executing';

CREATE TABLE latch (
  instance_id  text    not null,
  scope_id     integer not null,
  node_id      text    not null,
  group_id     integer not null,
  fired        integer not null check (fired in (0, 1)),
  primary key (instance_id, scope_id, group_id, node_id)
) strict, without rowid;

CREATE TABLE subscription (
  instance_id  text    not null,
  token_id     integer not null,
  type         text    not null,
  key          text    not null, since integer not null default 0, listens integer not null default 0,
  primary key (instance_id, token_id, type, key)
) strict, without rowid;

CREATE TABLE history (
  instance_id  text    not null,
  n            integer not null,
  commit_id    text    not null,
  at           integer not null,
  changes      text    not null,
  -- A commit id is looked up by this too: its row is the one after the version it expected.
  primary key (instance_id, n)
) strict;

CREATE TABLE snapshot (
  instance_id  text    not null,
  n            integer not null,
  body         text    not null,
  primary key (instance_id, n)
) strict;

CREATE TABLE inbox (
  -- The order of publishing.
  n             integer primary key,
  id            text    not null unique,
  type          text    not null,
  key           text    not null,
  data          text    not null,
  status        text    not null check (status in ('pending', 'consumed')),
  published_at  integer not null,
  expires_at    integer not null
, instance_id text, tenant text, trace text) strict;

CREATE INDEX inbox_pending on inbox (
  -- Serves awaited and outlook: what is over is never looked at again.
  expires_at
) where status = 'pending';

CREATE TABLE dropped (
  n            integer primary key,
  instance_id  text    not null,
  token_id     integer not null,
  version      integer not null,
  worker       text    not null,
  reason       text    not null,
  at           integer not null
) strict;

CREATE INDEX dropped_instance on dropped (
  -- Serves droppedNotes.
  instance_id
);

CREATE TABLE undo (
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

CREATE TABLE outbox (
  -- The order of posting. A number may come again, but never before one that is still here.
  n            integer primary key,
  id           text    not null unique,
  instance_id  text    not null,
  body         text    not null
) strict;

CREATE INDEX token_claim on token (
  -- Serves claimable and outlook: each priority of a handler is a stretch in order of time. With
  -- crashes in it, the row itself is not looked at.
  handler, priority desc, available_at, crashes
) where status = 'ready' and crashes < 2;

CREATE INDEX token_lone on token (
  -- Serves claimableLone and outlook: no claim as usual comes past a lone one.
  handler, available_at
) where status = 'ready' and crashes >= 2;

CREATE INDEX plan_links on plan (
  -- Serves linksOf.
  name
) where links is not null;

CREATE INDEX inbox_topic on inbox (
  -- Serves deliverableTo.
  type, key, instance_id
) where status = 'pending';

CREATE TABLE letter (
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
  locked_until  integer, trace text,
  check ((status = 'sending') = (locked_by is not null)),
  check ((locked_by is null) = (locked_until is null))
) strict;

CREATE INDEX letter_queue on letter (
  -- Serves claimLetters, outlook and pauseLetters: what is before a letter, or behind it.
  instance_id, n
) where status <> 'dead';

CREATE INDEX letter_ready on letter (
  -- Serves claimLetters and outlook.
  available_at
) where status = 'ready';

CREATE INDEX letter_sending on letter (
  -- Serves claimLetters and outlook: whether one of the instance is on its way.
  instance_id
) where status = 'sending';

CREATE INDEX letter_lease on letter (
  -- Serves expiredLetters and outlook.
  locked_until
) where status = 'sending';

CREATE TABLE schedule (
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

CREATE INDEX schedule_due on schedule (
  -- Serves dueSchedules and outlook.
  flow, next_at
) where status = 'active' and next_at is not null;

CREATE INDEX instance_halted on instance (
  -- Serves heldInstances and outlook.
  id
) where halted is not null;

CREATE VIEW workflow_instance as
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

CREATE VIEW workflow_step as
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

CREATE TABLE halt (
  flow       text    not null,
  version    integer not null,
  suspended  integer not null check (suspended in (0, 1)),
  at         integer not null,
  said_by    text,
  why        text,
  primary key (flow, version)
) strict, without rowid;

CREATE INDEX instance_flow on instance (
  -- Serves walkFlow.
  flow, id
);

CREATE INDEX instance_tenant on instance (
  -- Serves walkTenant.
  tenant, id
) where tenant is not null;

CREATE INDEX instance_key on instance (
  -- Serves walkKey: also those that are over, whose key may be another's by now.
  key, id
) where key is not null;

CREATE INDEX instance_parent on instance (
  -- Serves walkParent.
  parent_instance_id, id
) where parent_instance_id is not null;

CREATE INDEX instance_faulty on instance (
  -- Serves walkFaulty: whatever has failed.
  id
) where fault is not null;

CREATE INDEX instance_stalled on instance (
  -- Serves walkStalled.
  id
) where stalled is not null;

CREATE TABLE tag (
  instance_id  text not null,
  name         text not null,
  type         text not null check (type in ('text', 'number', 'boolean')),
  value        text not null,
  number       real,
  primary key (instance_id, name),
  check ((type = 'number') = (number is not null))
) strict, without rowid;

CREATE INDEX tag_value on tag (
  -- Serves walkTag.
  name, type, value, instance_id
);

CREATE INDEX tag_number on tag (
  -- Serves walkRange and rangeBeyond.
  name, number, instance_id
) where number is not null;

CREATE TABLE pruned (
  id  text    not null primary key,
  at  integer not null
) strict, without rowid;

CREATE TABLE server (
  worker    text    primary key,
  -- A list, as JSON text.
  handlers  text    not null,
  until     integer not null
) strict, without rowid;

CREATE INDEX plan_version on plan (
  -- Serves plansNow.
  name, version, saved_at
);

CREATE TABLE lane (
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

CREATE INDEX lane_look on lane (
  -- Serves dueLanes and outlook.
  look_at
) where look_at is not null;

CREATE TABLE lane_token (
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

CREATE INDEX lane_queue on lane_token (
  -- Serves queueOf, laneFacts, standingIn, unservedIn, dropGone and dropIdleLane.
  lane, state, priority desc, since, instance_id, token_id
);

CREATE INDEX lane_later on lane_token (
  -- Serves duePlaces and outlook.
  available_at
) where state = 'later';

CREATE INDEX lane_shelf on lane_token (
  -- Serves servedPlaces and outlook: what nobody had a handler for.
  handler
) where state = 'shelved';

CREATE INDEX lane_owing on lane_token (
  -- Serves owingIn.
  lane
) where owed > 0;

CREATE TABLE lane_news (
  n            integer primary key,
  lane         text    not null,
  -- By the version of the flow that it runs. Null: it left.
  version      integer,
  concurrency  integer,
  rate_max     integer,
  rate_per_ms  integer
) strict;

CREATE TABLE "variable" (
  instance_id  text    not null,
  scope_id     integer not null,
  space        text    not null check (space in ('results', 'vars', 'items')),
  name         text    not null,
  -- Grows with every first write: names come back in the order in which they came.
  place        integer not null,
  value        text    not null,
  primary key (instance_id, scope_id, space, name)
) strict, without rowid;

CREATE TABLE task (
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

CREATE TABLE task_list (
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

CREATE INDEX task_list_created on task_list (
  -- Serves tasksByCreated.
  list, name, by_created, instance_id, token_id
);

CREATE INDEX task_list_due on task_list (
  -- Serves tasksByDue.
  list, name, by_due, instance_id, token_id
);

CREATE INDEX task_list_priority on task_list (
  -- Serves tasksByPriority.
  list, name, by_priority, instance_id, token_id
);

CREATE INDEX subscription_topic on subscription (
  -- Serves awaited, deliverable, consume and outlook.
  type, key
) where listens = 0;

CREATE INDEX subscription_wide on subscription (
  -- Serves awaited and outlook.
  instance_id
) where listens = 0 and (type = '$any' or key = '$any');

CREATE INDEX subscription_listening on subscription (
  -- Serves tell.
  type, key
) where listens > 0;

CREATE TABLE unheard (
  instance_id  text    not null,
  -- The order of publishing.
  n            integer not null,
  message_id   text    not null,
  primary key (instance_id, n)
) strict, without rowid;

CREATE INDEX unheard_message on unheard (
  -- Serves deliverable, dropUnheard, messagesAfter and removeUnheard.
  message_id, instance_id
);

CREATE INDEX inbox_type on inbox (
  -- Serves catchUp.
  type, published_at
) where status = 'pending';

CREATE TABLE "delivery" (
  message_id   text    not null,
  instance_id  text    not null,
  at           integer not null default 0,
  -- 1: by those who listen.
  heard        integer not null default 0,
  primary key (message_id, instance_id, heard)
) strict, without rowid;

CREATE INDEX letter_dead on letter (
  -- Serves backlog.
  n
) where status = 'dead';

CREATE TABLE receipt (
  key         text    not null primary key,
  -- JSON text.
  body        text    not null,
  at          integer not null,
  expires_at  integer not null,
  -- How often it was asked for since: whoever was the first finds a 1.
  asked       integer not null
) strict;

CREATE INDEX receipt_over on receipt (
  -- Serves clearReceipts.
  expires_at
);

CREATE INDEX token_incident on token (
  -- Serves walkTroubled and tallyCauses.
  instance_id
) where status = 'waiting' and last_error is not null;
