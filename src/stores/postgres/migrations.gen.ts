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
  -- Serves claimLetters, outlook and failedLetters: what is before a letter, or behind it.
  shard, instance_id, n
) where status <> 'dead';

create index letter_ready on perdure.letter (
  -- Serves claimLetters and outlook.
  shard, available_at
) where status = 'ready';

create index letter_sending on perdure.letter (
  -- Serves claimLetters and outlook: whether one of the instance is on its way.
  shard, instance_id
) where status = 'sending';

create index letter_lease on perdure.letter (
  -- Serves expiredLetters and outlook.
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
  -- Serves dueSchedules and outlook.
  shard, flow, next_at
) where status = 'active' and next_at is not null;
`,
  },
  {
    number: 6,
    name: '0006_commits',
    sql: `-- A round of commits as one call: what they have in common is written by one statement for all of
-- them, and every guard is part of what writes. If a single one does not hold, nothing of the round
-- is written (errcode PD001), and the caller looks whose it was. So a commit reads nothing first.
--
-- Programs of several versions share a database: this function is never altered. What a later
-- version needs gets another name.

-- A running instance is written at every step: with room on its page no index has to know.
alter table perdure.instance set (fillfactor = 50);

create function perdure.commit_round(
  -- What time a test says it is. Null: that of the database. (A list without rows is null, too.)
  told bigint,
  -- One for each commit: the head as it is to be, and its history row. Those that start come first.
  c_shard smallint[], c_id text[], c_plan_hash text[], c_flow text[], c_flow_version integer[],
  c_status text[], c_version bigint[], c_counter bigint[], c_priority bigint[], c_output text[],
  c_fault text[], c_stalled text[], c_updated_at bigint[], c_ended_at bigint[], c_outcome text[],
  c_commit_id text[], c_changes text[],
  -- One for each that starts, and what it alone has.
  b_key text[], b_tenant text[], b_created_at bigint[], b_parent_instance_id text[],
  b_parent_token_id bigint[], b_input text[],
  k_shard smallint[], k_flow text[], k_key text[], k_instance_id text[],
  -- Claims that are used up, with their tokens or without.
  h_shard smallint[], h_instance_id text[], h_id bigint[], h_worker text[], h_version bigint[],
  h_expired smallint[], h_ends smallint[],
  -- What ends: tokens, and scopes with their values.
  e_shard smallint[], e_instance_id text[], e_id bigint[],
  d_shard smallint[], d_instance_id text[], d_id bigint[],
  -- Scopes, all of them new, and values: first so many new ones.
  s_shard smallint[], s_instance_id text[], s_id bigint[], s_parent_id bigint[],
  s_owner_id bigint[], s_drains_id bigint[], s_node_id text[], s_item_index integer[],
  s_item text[],
  v_shard smallint[], v_instance_id text[], v_scope_id bigint[], v_space text[], v_name text[],
  v_place bigint[], v_value text[], v_new integer,
  -- Tokens: first so many new ones. With a worker they come as a claim of it; without they have no
  -- lease either, and so no moment it began.
  t_shard smallint[], t_instance_id text[], t_id bigint[], t_scope_id bigint[], t_node_id text[],
  t_via text[], t_handler text[], t_seq integer[], t_status text[], t_mode text[],
  t_groups text[], t_visit integer[], t_attempts integer[], t_crashes integer[],
  t_max_attempts bigint[], t_priority bigint[], t_available_at bigint[], t_wait text[],
  t_wake_at bigint[], t_wake text[], t_last_error text[], t_hops integer[],
  t_created_at bigint[], t_updated_at bigint[], t_worker text[], t_lease_ms bigint[],
  t_claims bigint[], t_new integer
  -- The first row has the moment of the round as its version; the others are altered tokens.
) returns table (instance_id text, id bigint, version bigint)
  language plpgsql
  set lock_timeout = 1000
  -- All is found by its key and in the order given, whatever the tables held when this was planned.
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_bitmapscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  commits constant integer := cardinality(c_id);
  born constant integer := coalesce(cardinality(b_created_at), 0);
  ending integer := 0;
  now_ms bigint;
  done integer;
begin
  if born < commits then
    update perdure.instance as i
       set plan_hash = n.plan_hash, flow = n.flow, flow_version = n.flow_version,
           status = n.status, version = n.version, counter = n.counter, priority = n.priority,
           output = n.output, fault = n.fault, stalled = n.stalled, updated_at = n.updated_at,
           ended_at = n.ended_at, outcome = n.outcome
      from (select unnest(c_shard) as shard, unnest(c_id) as id, unnest(c_plan_hash) as plan_hash,
                   unnest(c_flow) as flow, unnest(c_flow_version) as flow_version,
                   unnest(c_status) as status, unnest(c_version) as version,
                   unnest(c_counter) as counter, unnest(c_priority) as priority,
                   unnest(c_output) as output, unnest(c_fault) as fault,
                   unnest(c_stalled) as stalled, unnest(c_updated_at) as updated_at,
                   unnest(c_ended_at) as ended_at, unnest(c_outcome) as outcome
            offset born) as n
     where (i.shard, i.id) = (n.shard, n.id)
       and i.version = n.version - 1;
    get diagnostics done = row_count;
    if born + done < commits then
      raise exception 'an instance has moved on' using errcode = 'PD001';
    end if;
  end if;

  if born > 0 then
    insert into perdure.instance (shard, id, plan_hash, flow, flow_version, status, version,
           counter, priority, output, fault, stalled, updated_at, ended_at, outcome, key, tenant,
           created_at, parent_instance_id, parent_token_id)
    select unnest(c_shard), unnest(c_id), unnest(c_plan_hash), unnest(c_flow),
           unnest(c_flow_version), unnest(c_status), unnest(c_version), unnest(c_counter),
           unnest(c_priority), unnest(c_output), unnest(c_fault), unnest(c_stalled),
           unnest(c_updated_at), unnest(c_ended_at), unnest(c_outcome), unnest(b_key),
           unnest(b_tenant), unnest(b_created_at), unnest(b_parent_instance_id),
           unnest(b_parent_token_id)
     limit born;
    insert into perdure.instance_input (shard, instance_id, body)
    select n.shard, n.id, n.input
      from unnest(c_shard, c_id, b_input) as n (shard, id, input)
     where n.input is not null;
    if cardinality(k_key) > 0 then
      insert into perdure.business_key (shard, flow, key, instance_id)
      select unnest(k_shard), unnest(k_flow), unnest(k_key), unnest(k_instance_id);
    end if;
  end if;

  now_ms := coalesce(told, (extract(epoch from clock_timestamp()) * 1000)::bigint);

  if cardinality(h_id) > 0 then
    -- A lease that ends now still holds. Who is locked by somebody is executing.
    delete from perdure.token as t
     using (select unnest(h_shard) as shard, unnest(h_instance_id) as instance_id,
                   unnest(h_id) as id, unnest(h_worker) as worker, unnest(h_version) as version,
                   unnest(h_expired) as expired, unnest(h_ends) as ends) as h
     where (t.shard, t.instance_id, t.id) = (h.shard, h.instance_id, h.id)
       and (t.locked_by, t.version) = (h.worker, h.version)
       and (t.locked_until < now_ms) = (h.expired = 1)
       and h.ends = 1;
    get diagnostics done = row_count;
    if 0 = any (h_ends) then
      perform 1
         from unnest(h_shard, h_instance_id, h_id, h_worker, h_version, h_expired, h_ends)
              as h (shard, instance_id, id, worker, version, expired, ends)
         join perdure.token as t
           on (t.shard, t.instance_id, t.id) = (h.shard, h.instance_id, h.id)
        where (t.locked_by, t.version) = (h.worker, h.version)
          and (t.locked_until < now_ms) = (h.expired = 1)
          and h.ends = 0
          for no key update of t;
      get diagnostics ending = row_count;
      done := done + ending;
    end if;
    if done < cardinality(h_id) then
      raise exception 'a claim is lost' using errcode = 'PD001';
    end if;
  end if;

  if cardinality(e_id) > 0 then
    delete from perdure.token as t
     using unnest(e_shard, e_instance_id, e_id) as ended (shard, instance_id, id)
     where (t.shard, t.instance_id, t.id) = (ended.shard, ended.instance_id, ended.id);
  end if;
  if cardinality(d_id) > 0 then
    delete from perdure.variable as v
     using unnest(d_shard, d_instance_id, d_id) as closed (shard, instance_id, id)
     where (v.shard, v.instance_id, v.scope_id) = (closed.shard, closed.instance_id, closed.id);
    delete from perdure.scope as s
     using unnest(d_shard, d_instance_id, d_id) as closed (shard, instance_id, id)
     where (s.shard, s.instance_id, s.id) = (closed.shard, closed.instance_id, closed.id);
  end if;

  if cardinality(s_id) > 0 then
    insert into perdure.scope (shard, instance_id, id, parent_id, owner_id, drains_id, node_id,
           item_index, item)
    select unnest(s_shard), unnest(s_instance_id), unnest(s_id), unnest(s_parent_id),
           unnest(s_owner_id), unnest(s_drains_id), unnest(s_node_id), unnest(s_item_index),
           unnest(s_item);
  end if;
  if v_new > 0 then
    insert into perdure.variable (shard, instance_id, scope_id, space, name, place, value)
    select unnest(v_shard), unnest(v_instance_id), unnest(v_scope_id), unnest(v_space),
           unnest(v_name), unnest(v_place), unnest(v_value)
     limit v_new;
  end if;
  if v_new < cardinality(v_name) then
    insert into perdure.variable (shard, instance_id, scope_id, space, name, place, value)
    select unnest(v_shard), unnest(v_instance_id), unnest(v_scope_id), unnest(v_space),
           unnest(v_name), unnest(v_place), unnest(v_value)
    offset v_new
        on conflict (shard, instance_id, scope_id, space, name) do update
       set value = excluded.value;
  end if;

  insert into perdure.history (shard, instance_id, n, commit_id, at, changes)
  select unnest(c_shard), unnest(c_id), unnest(c_version), unnest(c_commit_id),
         unnest(c_updated_at), unnest(c_changes);

  return query select null::text, null::bigint, now_ms;

  if t_new > 0 then
    insert into perdure.token (shard, instance_id, id, scope_id, node_id, via, handler, seq,
           status, mode, groups, visit, attempts, crashes, max_attempts, priority, available_at,
           wait, wake_at, wake, last_error, hops, created_at, updated_at, locked_by, locked_at,
           locked_until, version)
    select unnest(t_shard), unnest(t_instance_id), unnest(t_id), unnest(t_scope_id),
           unnest(t_node_id), unnest(t_via), unnest(t_handler), unnest(t_seq), unnest(t_status),
           unnest(t_mode), unnest(t_groups), unnest(t_visit), unnest(t_attempts), unnest(t_crashes),
           unnest(t_max_attempts), unnest(t_priority), unnest(t_available_at), unnest(t_wait),
           unnest(t_wake_at), unnest(t_wake), unnest(t_last_error), unnest(t_hops),
           unnest(t_created_at), unnest(t_updated_at), unnest(t_worker),
           now_ms + 0 * unnest(t_lease_ms), now_ms + unnest(t_lease_ms), unnest(t_claims)
     limit t_new;
  end if;
  if t_new < cardinality(t_id) then
    -- Every write adds one to the version and takes the token from whoever had it; a claim adds
    -- one more.
    return query
    insert into perdure.token as t (shard, instance_id, id, scope_id, node_id, via, handler, seq,
           status, mode, groups, visit, attempts, crashes, max_attempts, priority, available_at,
           wait, wake_at, wake, last_error, hops, created_at, updated_at, locked_by, locked_at,
           locked_until, version)
    select unnest(t_shard), unnest(t_instance_id), unnest(t_id), unnest(t_scope_id),
           unnest(t_node_id), unnest(t_via), unnest(t_handler), unnest(t_seq), unnest(t_status),
           unnest(t_mode), unnest(t_groups), unnest(t_visit), unnest(t_attempts), unnest(t_crashes),
           unnest(t_max_attempts), unnest(t_priority), unnest(t_available_at), unnest(t_wait),
           unnest(t_wake_at), unnest(t_wake), unnest(t_last_error), unnest(t_hops),
           unnest(t_created_at), unnest(t_updated_at), unnest(t_worker),
           now_ms + 0 * unnest(t_lease_ms), now_ms + unnest(t_lease_ms), unnest(t_claims)
    offset t_new
        on conflict (shard, instance_id, id) do update
       set scope_id = excluded.scope_id, node_id = excluded.node_id, via = excluded.via,
           handler = excluded.handler, seq = excluded.seq, status = excluded.status,
           mode = excluded.mode, groups = excluded.groups, visit = excluded.visit,
           attempts = excluded.attempts, crashes = excluded.crashes,
           max_attempts = excluded.max_attempts, priority = excluded.priority,
           available_at = excluded.available_at, wait = excluded.wait, wake_at = excluded.wake_at,
           wake = excluded.wake, last_error = excluded.last_error, hops = excluded.hops,
           created_at = excluded.created_at, updated_at = excluded.updated_at,
           locked_by = excluded.locked_by, locked_at = excluded.locked_at,
           locked_until = excluded.locked_until, version = t.version + 1 + excluded.version
    returning t.instance_id, t.id, t.version;
  end if;
end
$$;
`,
  },
  {
    number: 7,
    name: '0007_commit_one',
    sql: `-- What most commits are when little goes on, as one call: a step of one instance that uses up the
-- claim it was made under, and leaves at most one new token, one value and one closed scope. It
-- does what commit_round would do with it, at less cost: dozens of lists of one row each take as
-- long as much of what is written. Its guards are the same, and so is what it says (PD001).
--
-- Programs of several versions share a database: this function is never altered. What a later
-- version needs gets another name.

create function perdure.commit_one(
  -- What time a test says it is. Null: that of the database.
  told bigint,
  -- The head as it is to be, and its history row.
  c_shard smallint, c_id text, c_plan_hash text, c_flow text, c_flow_version integer,
  c_status text, c_version bigint, c_counter bigint, c_priority bigint, c_output text,
  c_fault text, c_stalled text, c_updated_at bigint, c_ended_at bigint, c_outcome text,
  c_commit_id text, c_changes text,
  -- What only one that starts has; without a day of birth it is there already.
  b_key text, b_tenant text, b_created_at bigint, b_parent_instance_id text,
  b_parent_token_id bigint, b_input text, k_shard smallint,
  -- The claim that is used up, with its token or without; without an id there is none.
  h_id bigint, h_worker text, h_version bigint, h_expired smallint, h_ends smallint,
  -- A scope that closes with its values; a value, new or not; a new token: without an id or a name
  -- there is none. With a worker the token comes as a claim of it; without it has no lease either.
  d_id bigint,
  v_scope_id bigint, v_space text, v_name text, v_place bigint, v_value text, v_new smallint,
  t_id bigint, t_scope_id bigint, t_node_id text, t_via text, t_handler text, t_seq integer,
  t_status text, t_mode text, t_groups text, t_visit integer, t_attempts integer,
  t_crashes integer, t_max_attempts bigint, t_priority bigint, t_available_at bigint, t_wait text,
  t_wake_at bigint, t_wake text, t_last_error text, t_hops integer, t_created_at bigint,
  t_updated_at bigint, t_worker text, t_lease_ms bigint, t_claims bigint
  -- The moment of the commit.
) returns bigint
  language plpgsql
  set lock_timeout = 1000
  -- All is found by its key, whatever the tables held when this was planned. (Each of these costs
  -- as much as a small statement: the others of commit_round would change nothing here.)
  set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  now_ms bigint;
begin
  if b_created_at is null then
    update perdure.instance
       set plan_hash = c_plan_hash, flow = c_flow, flow_version = c_flow_version,
           status = c_status, version = c_version, counter = c_counter, priority = c_priority,
           output = c_output, fault = c_fault, stalled = c_stalled, updated_at = c_updated_at,
           ended_at = c_ended_at, outcome = c_outcome
     where shard = c_shard and id = c_id and version = c_version - 1;
    if not found then
      raise exception 'an instance has moved on' using errcode = 'PD001';
    end if;
  else
    insert into perdure.instance (shard, id, plan_hash, flow, flow_version, status, version,
           counter, priority, output, fault, stalled, updated_at, ended_at, outcome, key, tenant,
           created_at, parent_instance_id, parent_token_id)
    values (c_shard, c_id, c_plan_hash, c_flow, c_flow_version, c_status, c_version, c_counter,
           c_priority, c_output, c_fault, c_stalled, c_updated_at, c_ended_at, c_outcome, b_key,
           b_tenant, b_created_at, b_parent_instance_id, b_parent_token_id);
    if b_input is not null then
      insert into perdure.instance_input (shard, instance_id, body)
      values (c_shard, c_id, b_input);
    end if;
    if b_key is not null then
      insert into perdure.business_key (shard, flow, key, instance_id)
      values (k_shard, c_flow, b_key, c_id);
    end if;
  end if;

  now_ms := coalesce(told, (extract(epoch from clock_timestamp()) * 1000)::bigint);

  if h_id is not null then
    -- A lease that ends now still holds. Who is locked by somebody is executing.
    if h_ends = 1 then
      delete from perdure.token
       where shard = c_shard and instance_id = c_id and id = h_id
         and locked_by = h_worker and version = h_version
         and (locked_until < now_ms) = (h_expired = 1);
    else
      perform 1
         from perdure.token
        where shard = c_shard and instance_id = c_id and id = h_id
          and locked_by = h_worker and version = h_version
          and (locked_until < now_ms) = (h_expired = 1)
          for no key update;
    end if;
    if not found then
      raise exception 'a claim is lost' using errcode = 'PD001';
    end if;
  end if;

  if d_id is not null then
    delete from perdure.variable
     where shard = c_shard and instance_id = c_id and scope_id = d_id;
    delete from perdure.scope where shard = c_shard and instance_id = c_id and id = d_id;
  end if;
  if v_new = 1 then
    insert into perdure.variable (shard, instance_id, scope_id, space, name, place, value)
    values (c_shard, c_id, v_scope_id, v_space, v_name, v_place, v_value);
  elsif v_new = 0 then
    insert into perdure.variable (shard, instance_id, scope_id, space, name, place, value)
    values (c_shard, c_id, v_scope_id, v_space, v_name, v_place, v_value)
        on conflict (shard, instance_id, scope_id, space, name) do update
       set value = excluded.value;
  end if;

  insert into perdure.history (shard, instance_id, n, commit_id, at, changes)
  values (c_shard, c_id, c_version, c_commit_id, c_updated_at, c_changes);

  if t_id is not null then
    insert into perdure.token (shard, instance_id, id, scope_id, node_id, via, handler, seq,
           status, mode, groups, visit, attempts, crashes, max_attempts, priority, available_at,
           wait, wake_at, wake, last_error, hops, created_at, updated_at, locked_by, locked_at,
           locked_until, version)
    values (c_shard, c_id, t_id, t_scope_id, t_node_id, t_via, t_handler, t_seq, t_status, t_mode,
           t_groups, t_visit, t_attempts, t_crashes, t_max_attempts, t_priority, t_available_at,
           t_wait, t_wake_at, t_wake, t_last_error, t_hops, t_created_at, t_updated_at, t_worker,
           now_ms + 0 * t_lease_ms, now_ms + t_lease_ms, t_claims);
  end if;
  return now_ms;
end
$$;
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
alter table perdure.instance add column pauses text;

-- 1 while it is suspended because something was said of its flow, and not by its own name.
alter table perdure.instance add column halted smallint check (halted = 1);

create index instance_halted on perdure.instance (
  -- Serves heldInstances and outlook.
  shard, id
) where halted is not null;

alter table perdure.token add column held_handler text collate "C";
alter table perdure.token add column held_wake_at bigint;

-- The same as before, with what is put aside.

create or replace view perdure.workflow_instance as
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

create or replace view perdure.workflow_step as
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
         perdure.member(token.wait, 'type') as waiting_event_type,
         -- Not by member: what that gives back whole is no number.
         coalesce(token.wake_at, token.held_wake_at,
                  substring(token.wait from '"until":([0-9]+)')::bigint) as deadline_at,
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

-- What was said of whole flows: the narrowest counts. The flow \`*\` is every flow, version 0 every
-- version.
create table perdure.halt (
  -- By the flow's name.
  shard      smallint not null,
  flow       text     collate "C" not null,
  version    bigint   not null,
  suspended  smallint not null check (suspended in (0, 1)),
  at         bigint   not null,
  said_by    text,
  why        text,
  primary key (shard, flow, version)
);
`,
  },
  {
    number: 9,
    name: '0009_search',
    sql: `-- Looking for instances. Every index here is on columns that never change once an instance is
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
  -- A member of a JSON text as text, to be compared. What no text of Postgres can hold (\\u0000,
  -- half a surrogate pair) is another character then, instead of an error.
  language sql immutable
  return regexp_replace(body, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'g')::json ->> name;
`,
  },
  {
    number: 10,
    name: '0010_servers',
    sql: `-- Which handlers the processes at work have: each says so now and then, and takes its word back when
-- it ends. Whoever has not said so again in time is gone. So it can be told of work that nobody has a
-- handler for from work that waits for its turn.
create table perdure.server (
  shard     smallint not null,
  worker    text     collate "C" not null,
  -- A list, as JSON text.
  handlers  text     not null,
  until     bigint   not null,
  primary key (shard, worker)
);

-- Of two plans of one version, the one that was saved last.
alter table perdure.plan add column saved_at bigint not null default 0;

create index plan_version on perdure.plan (
  -- Serves plansNow.
  name, version, saved_at
);
`,
  },
  {
    number: 11,
    name: '0011_lanes',
    sql: `-- Lanes: where ready tokens wait because of a limit. The token itself is held as those of suspended
-- instances are, so that a claim does not come past it; the rows here say where it waits. Commits
-- only ever write their own rows of lane_token: a lane is written by whoever lets through.

-- The limits it is under, as a JSON list. Null: none.
alter table perdure.token add column lanes text;
-- Since when it is due, if it takes its place among others only since it was let through.
alter table perdure.token add column due_at bigint;
-- How urgent it is, if the queue that it was let to has another number for all.
alter table perdure.token add column own_priority bigint;

create table perdure.lane (
  shard        smallint not null,
  name         text     collate "C" not null,
  -- The numbers of the newest version of the flow that has had a token here. Null: no such limit.
  version      integer  not null,
  concurrency  bigint,
  rate_max     bigint,
  rate_per_ms  bigint,
  -- When the last ones began, as a JSON list of moments and how many; for a rate alone.
  log          text,
  -- When there may be room though nobody came or went. Null: never.
  look_at      bigint,
  -- Of one that tenants share: the share that had the last turn, or the lane itself.
  turn         text collate "C",
  primary key (shard, name)
);

create index lane_look on perdure.lane (
  -- Serves dueLanes and outlook.
  shard, look_at
) where look_at is not null;

create table perdure.lane_token (
  shard         smallint not null,
  instance_id   text     collate "C" not null,
  token_id      bigint   not null,
  lane          text     collate "C" not null,
  -- Which of its lanes it is, and how many there are without that of its tenant.
  ordinal       smallint not null,
  lanes         smallint not null,
  state         text     collate "C" not null check (state in
    ('waiting', 'aside', 'later', 'shelved', 'asleep', 'passed', 'gone')),
  handler       text     collate "C" not null,
  priority      bigint   not null,
  -- When its instance began.
  since         bigint   not null,
  available_at  bigint   not null,
  -- 1: it was let through and has begun. How many begins nobody has counted yet, and the last.
  begun         smallint not null check (begun in (0, 1)),
  owed          integer  not null,
  owed_at       bigint,
  passed_at     bigint,
  -- Not by its lane: whoever looks for a lane is to find it by its queue alone.
  primary key (shard, instance_id, token_id, ordinal)
);

create index lane_queue on perdure.lane_token (
  -- Serves queueOf, laneFacts, standingIn, unservedIn, dropGone and dropIdleLane.
  shard, lane, state, (- priority), since, instance_id, token_id
);

create index lane_later on perdure.lane_token (
  -- Serves duePlaces and outlook.
  shard, available_at
) where state = 'later';

create index lane_shelf on perdure.lane_token (
  -- Serves servedPlaces and outlook: what nobody had a handler for.
  shard, handler
) where state = 'shelved';

create index lane_owing on perdure.lane_token (
  -- Serves owingIn.
  shard, lane
) where owed > 0;

-- What has come to lanes and left them: each commit adds its own, and whoever looks takes them away.
create table perdure.lane_news (
  shard        smallint not null,
  n            bigint   not null generated always as identity,
  lane         text     collate "C" not null,
  -- By the version of the flow that it runs. Null: it left.
  version      integer,
  concurrency  bigint,
  rate_max     bigint,
  rate_per_ms  bigint,
  primary key (shard, n)
);
`,
  },
  {
    number: 12,
    name: '0012_items',
    sql: `-- Scopes of maps keep what comes of their items, each under its number, in a space of its own.

alter table perdure.variable
  drop constraint variable_space_check,
  add constraint variable_space_check check (space in ('results', 'vars', 'items'));
`,
  },
  {
    number: 13,
    name: '0013_tasks',
    sql: `-- Work that waits for people. All of a task stands in the wait of its token; here is what people
-- look for it by, written by the commits that alter it and gone with the one that ends it.

create table perdure.task (
  shard         smallint not null,
  instance_id   text     collate "C" not null,
  token_id      bigint   not null,
  node_id       text     not null,
  kind          text     not null check (kind in ('task', 'approval')),
  flow          text     not null,
  tenant        text,
  assignee      text,
  priority      bigint   not null,
  due_at        bigint,
  follow_up_at  bigint,
  created_at    bigint   not null,
  primary key (shard, instance_id, token_id)
);

-- The lists that a task is in: of all that are open, of its flow, of its tenant, of whom it is
-- assigned to, and of everybody it is offered to. Each can be read from any place on, in any order.
create table perdure.task_list (
  shard        smallint not null,
  instance_id  text     collate "C" not null,
  token_id     bigint   not null,
  list         text     collate "C" not null check (list in
    ('open', 'flow', 'tenant', 'assignee', 'all', 'user', 'group')),
  -- Whose list it is; empty where there is only one.
  name         text     collate "C" not null,
  by_created   bigint   not null,
  -- What has no date comes last.
  by_due       bigint   not null,
  by_priority  bigint   not null,
  primary key (shard, instance_id, token_id, list, name)
);

create index task_list_created on perdure.task_list (
  -- Serves tasksByCreated.
  shard, list, name, by_created, instance_id, token_id
);

create index task_list_due on perdure.task_list (
  -- Serves tasksByDue.
  shard, list, name, by_due, instance_id, token_id
);

create index task_list_priority on perdure.task_list (
  -- Serves tasksByPriority.
  shard, list, name, by_priority, instance_id, token_id
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
`,
  },
  {
    number: 15,
    name: '0015_tenants',
    sql: `-- Tenants are kept apart: a message may be for instances of one tenant alone, and each tenant has
-- business keys of its own.

-- Null: for all.
alter table perdure.inbox add column tenant text;
-- The traceparent of whoever published it.
alter table perdure.inbox add column trace text;

create index letter_dead on perdure.letter (
  -- Serves backlog.
  shard, n
) where status = 'dead';

-- Keys of tenants have the tenant in them (src/model/own-names.ts), and lie in the shard of what
-- they are then: FNV-1a over UTF-16 units of flow and key (src/stores/postgres/shard.ts).
do $$
declare
  held record;
  own text;
  word text;
  code bigint;
  hash bigint;
begin
  for held in
    select k.shard, k.flow, k.key, i.tenant
      from perdure.business_key as k
      join perdure.instance as i
        on i.shard = any ('{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}'::smallint[])
       and i.id = k.instance_id
     where k.shard = any ('{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}'::smallint[])
       and i.tenant is not null
  loop
    own := case when length(held.tenant) <= 60 then held.tenant
                else encode(sha256(convert_to(held.tenant, 'UTF8')), 'hex') end;
    own := chr(31) || length(own) || ' ' || own || held.key;
    hash := 2166136261;
    foreach word in array array[held.flow, own] loop
      for place in 1 .. length(word) loop
        code := ascii(substr(word, place, 1));
        if code > 65535 then
          -- Beyond these a character is two units.
          hash := ((hash # (55296 + ((code - 65536) / 1024))) * 16777619) & 4294967295;
          code := 56320 + (code - 65536) % 1024;
        end if;
        hash := ((hash # code) * 16777619) & 4294967295;
      end loop;
      hash := ((hash # 31) * 16777619) & 4294967295;
    end loop;
    update perdure.business_key as k
       set shard = (hash # (hash / 65536)) % 16, key = own
     where (k.shard, k.flow, k.key) = (held.shard, held.flow, held.key);
  end loop;
end
$$;
`,
  },
  {
    number: 16,
    name: '0016_receipts',
    sql: `-- What was asked under a key, and what came of it, for a while. What is over counts as not there, and
-- whoever asks next takes its place.
create table perdure.receipt (
  -- By the key.
  shard       smallint not null,
  key         text     collate "C" not null,
  -- JSON text.
  body        text     not null,
  at          bigint   not null,
  expires_at  bigint   not null,
  -- How often it was asked for since: whoever was the first finds a 1.
  asked       bigint   not null,
  primary key (shard, key)
);

create index receipt_over on perdure.receipt (
  -- Serves clearReceipts.
  shard, expires_at
);
`,
  },
  {
    number: 17,
    name: '0017_letter_traces',
    sql: `-- The traceparent of whoever wrote it; null where that had none.
alter table perdure.letter add column trace text;
`,
  },
  {
    number: 18,
    name: '0018_incidents',
    sql: `-- Looking for what waits to be mended. Few tokens wait after something failed, and the others do not
-- write it.
create index token_incident on perdure.token (
  -- Serves walkTroubled and tallyCauses.
  shard, instance_id
) where status = 'waiting' and last_error is not null;
`,
  },
];
