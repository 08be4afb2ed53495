-- The schema after the last migration, made by `npx vitest run src/stores/postgres -u`.

CREATE OR REPLACE FUNCTION perdure.commit_one(told bigint, c_shard smallint, c_id text, c_plan_hash text, c_flow text, c_flow_version integer, c_status text, c_version bigint, c_counter bigint, c_priority bigint, c_output text, c_fault text, c_stalled text, c_updated_at bigint, c_ended_at bigint, c_outcome text, c_commit_id text, c_changes text, b_key text, b_tenant text, b_created_at bigint, b_parent_instance_id text, b_parent_token_id bigint, b_input text, k_shard smallint, h_id bigint, h_worker text, h_version bigint, h_expired smallint, h_ends smallint, d_id bigint, v_scope_id bigint, v_space text, v_name text, v_place bigint, v_value text, v_new smallint, t_id bigint, t_scope_id bigint, t_node_id text, t_via text, t_handler text, t_seq integer, t_status text, t_mode text, t_groups text, t_visit integer, t_attempts integer, t_crashes integer, t_max_attempts bigint, t_priority bigint, t_available_at bigint, t_wait text, t_wake_at bigint, t_wake text, t_last_error text, t_hops integer, t_created_at bigint, t_updated_at bigint, t_worker text, t_lease_ms bigint, t_claims bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 SET lock_timeout TO '1000'
 SET enable_seqscan TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION perdure.commit_round(told bigint, c_shard smallint[], c_id text[], c_plan_hash text[], c_flow text[], c_flow_version integer[], c_status text[], c_version bigint[], c_counter bigint[], c_priority bigint[], c_output text[], c_fault text[], c_stalled text[], c_updated_at bigint[], c_ended_at bigint[], c_outcome text[], c_commit_id text[], c_changes text[], b_key text[], b_tenant text[], b_created_at bigint[], b_parent_instance_id text[], b_parent_token_id bigint[], b_input text[], k_shard smallint[], k_flow text[], k_key text[], k_instance_id text[], h_shard smallint[], h_instance_id text[], h_id bigint[], h_worker text[], h_version bigint[], h_expired smallint[], h_ends smallint[], e_shard smallint[], e_instance_id text[], e_id bigint[], d_shard smallint[], d_instance_id text[], d_id bigint[], s_shard smallint[], s_instance_id text[], s_id bigint[], s_parent_id bigint[], s_owner_id bigint[], s_drains_id bigint[], s_node_id text[], s_item_index integer[], s_item text[], v_shard smallint[], v_instance_id text[], v_scope_id bigint[], v_space text[], v_name text[], v_place bigint[], v_value text[], v_new integer, t_shard smallint[], t_instance_id text[], t_id bigint[], t_scope_id bigint[], t_node_id text[], t_via text[], t_handler text[], t_seq integer[], t_status text[], t_mode text[], t_groups text[], t_visit integer[], t_attempts integer[], t_crashes integer[], t_max_attempts bigint[], t_priority bigint[], t_available_at bigint[], t_wait text[], t_wake_at bigint[], t_wake text[], t_last_error text[], t_hops integer[], t_created_at bigint[], t_updated_at bigint[], t_worker text[], t_lease_ms bigint[], t_claims bigint[], t_new integer)
 RETURNS TABLE(instance_id text, id bigint, version bigint)
 LANGUAGE plpgsql
 SET lock_timeout TO '1000'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION perdure.hearers(shards smallint[])
 RETURNS TABLE(shard smallint, instance_id text)
 LANGUAGE sql
 STABLE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION perdure.member(body text, name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (body ~ '\\u(0000|d[89a-f])'::text) THEN body ELSE ((body)::json ->> name) END;

CREATE OR REPLACE FUNCTION perdure.moment(told bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
RETURN COALESCE(told, ((EXTRACT(epoch FROM statement_timestamp()) * (1000)::numeric))::bigint);

CREATE OR REPLACE FUNCTION perdure.next_heard(of_shard smallint, of_instance text, told bigint)
 RETURNS TABLE(shard smallint, id text, n bigint, published_at bigint, token_id bigint)
 LANGUAGE sql
 STABLE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION perdure.text_of(body text, name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN ((regexp_replace(body, '\\u(0000|d[89a-f][0-9a-f]{2})'::text, '\\ufffd'::text, 'g'::text))::json ->> name);

create table perdure.business_key (
  shard smallint not null,
  flow text collate "C" not null,
  key text collate "C" not null,
  instance_id text collate "C" not null,
  constraint business_key_pkey PRIMARY KEY (shard, flow, key)
);

create table perdure.delivery (
  shard smallint not null,
  message_id text collate "C" not null,
  instance_id text collate "C" not null,
  at bigint not null default 0,
  heard smallint not null default 0,
  constraint delivery_pkey PRIMARY KEY (shard, message_id, instance_id, heard)
);

create table perdure.dropped (
  shard smallint not null,
  n bigint not null generated always as identity,
  instance_id text collate "C" not null,
  token_id bigint not null,
  version bigint not null,
  worker text not null,
  reason text not null,
  at bigint not null,
  constraint dropped_pkey PRIMARY KEY (shard, instance_id, n)
);

create table perdure.halt (
  shard smallint not null,
  flow text collate "C" not null,
  version bigint not null,
  suspended smallint not null,
  at bigint not null,
  said_by text,
  why text,
  constraint halt_pkey PRIMARY KEY (shard, flow, version),
  constraint halt_suspended_check CHECK ((suspended = ANY (ARRAY[0, 1])))
);

create table perdure.history (
  shard smallint not null,
  instance_id text collate "C" not null,
  n bigint not null,
  commit_id text not null,
  at bigint not null,
  changes text not null,
  constraint history_pkey PRIMARY KEY (shard, instance_id, n)
);

create table perdure.inbox (
  shard smallint not null,
  id text collate "C" not null,
  n bigint not null generated always as identity,
  type text collate "C" not null,
  key text collate "C" not null,
  data text not null,
  status text not null,
  published_at bigint not null,
  expires_at bigint not null,
  instance_id text collate "C",
  tenant text,
  trace text,
  constraint inbox_pkey PRIMARY KEY (shard, id),
  constraint inbox_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'consumed'::text])))
);

create table perdure.instance (
  shard smallint not null,
  id text collate "C" not null,
  plan_hash text not null,
  flow text not null,
  flow_version integer not null,
  status text not null,
  version bigint not null,
  counter bigint not null,
  key text,
  tenant text,
  priority bigint not null,
  output text,
  fault text,
  stalled text,
  created_at bigint not null,
  updated_at bigint not null,
  ended_at bigint,
  outcome text,
  parent_instance_id text,
  parent_token_id bigint,
  pauses text,
  halted smallint,
  constraint instance_pkey PRIMARY KEY (shard, id),
  constraint instance_halted_check CHECK ((halted = 1)),
  constraint instance_outcome_check CHECK ((outcome = 'compensated'::text)),
  constraint instance_status_check CHECK ((status = ANY (ARRAY['running'::text, 'suspended'::text, 'compensating'::text, 'completed'::text, 'failed'::text, 'canceled'::text])))
);

create table perdure.instance_input (
  shard smallint not null,
  instance_id text collate "C" not null,
  body text not null,
  constraint instance_input_pkey PRIMARY KEY (shard, instance_id)
);

create table perdure.lane (
  shard smallint not null,
  name text collate "C" not null,
  version integer not null,
  concurrency bigint,
  rate_max bigint,
  rate_per_ms bigint,
  log text,
  look_at bigint,
  turn text collate "C",
  constraint lane_pkey PRIMARY KEY (shard, name)
);

create table perdure.lane_news (
  shard smallint not null,
  n bigint not null generated always as identity,
  lane text collate "C" not null,
  version integer,
  concurrency bigint,
  rate_max bigint,
  rate_per_ms bigint,
  constraint lane_news_pkey PRIMARY KEY (shard, n)
);

create table perdure.lane_token (
  shard smallint not null,
  instance_id text collate "C" not null,
  token_id bigint not null,
  lane text collate "C" not null,
  ordinal smallint not null,
  lanes smallint not null,
  state text collate "C" not null,
  handler text collate "C" not null,
  priority bigint not null,
  since bigint not null,
  available_at bigint not null,
  begun smallint not null,
  owed integer not null,
  owed_at bigint,
  passed_at bigint,
  constraint lane_token_pkey PRIMARY KEY (shard, instance_id, token_id, ordinal),
  constraint lane_token_begun_check CHECK ((begun = ANY (ARRAY[0, 1]))),
  constraint lane_token_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'aside'::text, 'later'::text, 'shelved'::text, 'asleep'::text, 'passed'::text, 'gone'::text])))
);

create table perdure.latch (
  shard smallint not null,
  instance_id text collate "C" not null,
  scope_id bigint not null,
  node_id text collate "C" not null,
  group_id bigint not null,
  fired smallint not null,
  constraint latch_pkey PRIMARY KEY (shard, instance_id, scope_id, group_id, node_id),
  constraint latch_fired_check CHECK ((fired = ANY (ARRAY[0, 1])))
);

create table perdure.letter (
  shard smallint not null,
  id text collate "C" not null,
  n bigint not null generated always as identity,
  instance_id text collate "C" not null,
  flow text collate "C" not null,
  type text collate "C" not null,
  key text collate "C",
  data text not null,
  status text collate "C" not null,
  attempts integer not null,
  available_at bigint not null,
  last_error text,
  created_at bigint not null,
  updated_at bigint not null,
  version bigint not null,
  locked_by text collate "C",
  locked_until bigint,
  trace text,
  constraint letter_pkey PRIMARY KEY (shard, id),
  constraint letter_check CHECK (((status = 'sending'::text) = (locked_by IS NOT NULL))),
  constraint letter_check1 CHECK (((locked_by IS NULL) = (locked_until IS NULL))),
  constraint letter_status_check CHECK ((status = ANY (ARRAY['ready'::text, 'sending'::text, 'dead'::text])))
);

create table perdure.migration (
  number integer not null,
  name text not null,
  applied_at bigint not null,
  constraint migration_pkey PRIMARY KEY (number)
);

create table perdure.outbox (
  shard smallint not null,
  id text collate "C" not null,
  n bigint not null generated always as identity,
  instance_id text collate "C" not null,
  body text not null,
  constraint outbox_pkey PRIMARY KEY (shard, id)
);

create table perdure.plan (
  hash text collate "C" not null,
  name text not null,
  version integer not null,
  body text not null,
  links text,
  saved_at bigint not null default 0,
  constraint plan_pkey PRIMARY KEY (hash)
);

create table perdure.pruned (
  shard smallint not null,
  id text collate "C" not null,
  at bigint not null,
  constraint pruned_pkey PRIMARY KEY (shard, id)
);

create table perdure.receipt (
  shard smallint not null,
  key text collate "C" not null,
  body text not null,
  at bigint not null,
  expires_at bigint not null,
  asked bigint not null,
  constraint receipt_pkey PRIMARY KEY (shard, key)
);

create table perdure.schedule (
  shard smallint not null,
  name text collate "C" not null,
  flow text collate "C" not null,
  spec text not null,
  status text collate "C" not null,
  next_at bigint,
  last_at bigint,
  since bigint not null,
  version bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint schedule_pkey PRIMARY KEY (shard, name),
  constraint schedule_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text])))
);

create table perdure.scope (
  shard smallint not null,
  instance_id text collate "C" not null,
  id bigint not null,
  parent_id bigint,
  owner_id bigint,
  node_id text,
  item_index integer,
  item text,
  drains_id bigint,
  constraint scope_pkey PRIMARY KEY (shard, instance_id, id)
);

create table perdure.server (
  shard smallint not null,
  worker text collate "C" not null,
  handlers text not null,
  until bigint not null,
  constraint server_pkey PRIMARY KEY (shard, worker)
);

create table perdure.snapshot (
  shard smallint not null,
  instance_id text collate "C" not null,
  n bigint not null,
  body text not null,
  constraint snapshot_pkey PRIMARY KEY (shard, instance_id, n)
);

create table perdure.subscription (
  shard smallint not null,
  instance_id text collate "C" not null,
  token_id bigint not null,
  type text collate "C" not null,
  key text collate "C" not null,
  since bigint not null default 0,
  listens smallint not null default 0,
  constraint subscription_pkey PRIMARY KEY (shard, instance_id, token_id, type, key)
);

create table perdure.tag (
  shard smallint not null,
  instance_id text collate "C" not null,
  name text collate "C" not null,
  type text collate "C" not null,
  value text collate "C" not null,
  number double precision,
  constraint tag_pkey PRIMARY KEY (shard, instance_id, name),
  constraint tag_check CHECK (((type = 'number'::text) = (number IS NOT NULL))),
  constraint tag_type_check CHECK ((type = ANY (ARRAY['text'::text, 'number'::text, 'boolean'::text])))
);

create table perdure.task (
  shard smallint not null,
  instance_id text collate "C" not null,
  token_id bigint not null,
  node_id text not null,
  kind text not null,
  flow text not null,
  tenant text,
  assignee text,
  priority bigint not null,
  due_at bigint,
  follow_up_at bigint,
  created_at bigint not null,
  constraint task_pkey PRIMARY KEY (shard, instance_id, token_id),
  constraint task_kind_check CHECK ((kind = ANY (ARRAY['task'::text, 'approval'::text])))
);

create table perdure.task_list (
  shard smallint not null,
  instance_id text collate "C" not null,
  token_id bigint not null,
  list text collate "C" not null,
  name text collate "C" not null,
  by_created bigint not null,
  by_due bigint not null,
  by_priority bigint not null,
  constraint task_list_pkey PRIMARY KEY (shard, instance_id, token_id, list, name),
  constraint task_list_list_check CHECK ((list = ANY (ARRAY['open'::text, 'flow'::text, 'tenant'::text, 'assignee'::text, 'all'::text, 'user'::text, 'group'::text])))
);

create table perdure.token (
  shard smallint not null,
  instance_id text collate "C" not null,
  id bigint not null,
  scope_id bigint not null,
  node_id text not null,
  via text,
  handler text collate "C",
  seq integer,
  status text collate "C" not null,
  mode text not null,
  groups text,
  visit integer not null,
  attempts integer not null,
  crashes integer not null,
  max_attempts bigint not null,
  priority bigint not null,
  available_at bigint not null,
  wait text,
  wake_at bigint,
  wake text,
  last_error text,
  hops integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  version bigint not null,
  locked_by text collate "C",
  locked_at bigint,
  locked_until bigint,
  held_handler text collate "C",
  held_wake_at bigint,
  lanes text,
  due_at bigint,
  own_priority bigint,
  constraint token_pkey PRIMARY KEY (shard, instance_id, id),
  constraint token_check CHECK (((status = 'executing'::text) = (locked_by IS NOT NULL))),
  constraint token_check1 CHECK (((locked_by IS NULL) = (locked_until IS NULL))),
  constraint token_mode_check CHECK ((mode = ANY (ARRAY['forward'::text, 'compensation'::text]))),
  constraint token_status_check CHECK ((status = ANY (ARRAY['created'::text, 'ready'::text, 'executing'::text, 'waiting'::text, 'completed'::text, 'failed'::text, 'terminated'::text])))
);

create table perdure.undo (
  shard smallint not null,
  instance_id text collate "C" not null,
  id bigint not null,
  saga_id bigint not null,
  node_id text not null,
  token_id bigint not null,
  visit integer not null,
  result text,
  item_index integer,
  item text,
  in_doubt smallint not null,
  status text not null,
  by_id bigint,
  fault text,
  constraint undo_pkey PRIMARY KEY (shard, instance_id, id),
  constraint undo_in_doubt_check CHECK ((in_doubt = ANY (ARRAY[0, 1]))),
  constraint undo_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text, 'failed'::text])))
);

create table perdure.unheard (
  shard smallint not null,
  instance_id text collate "C" not null,
  n bigint not null,
  message_shard smallint not null,
  message_id text collate "C" not null,
  constraint unheard_pkey PRIMARY KEY (shard, instance_id, n)
);

create table perdure.variable (
  shard smallint not null,
  instance_id text collate "C" not null,
  scope_id bigint not null,
  space text collate "C" not null,
  name text collate "C" not null,
  place bigint not null,
  value text not null,
  constraint variable_pkey PRIMARY KEY (shard, instance_id, scope_id, space, name),
  constraint variable_space_check CHECK ((space = ANY (ARRAY['results'::text, 'vars'::text, 'items'::text])))
);

CREATE INDEX inbox_pending ON perdure.inbox USING btree (shard, expires_at) WHERE (status = 'pending'::text);

CREATE INDEX inbox_topic ON perdure.inbox USING btree (shard, type, key, instance_id) WHERE (status = 'pending'::text);

CREATE INDEX inbox_type ON perdure.inbox USING btree (shard, type, published_at) WHERE (status = 'pending'::text);

CREATE INDEX instance_faulty ON perdure.instance USING btree (shard, id) WHERE (fault IS NOT NULL);

CREATE INDEX instance_flow ON perdure.instance USING btree (shard, flow, id);

CREATE INDEX instance_halted ON perdure.instance USING btree (shard, id) WHERE (halted IS NOT NULL);

CREATE INDEX instance_key ON perdure.instance USING btree (shard, key, id) WHERE (key IS NOT NULL);

CREATE INDEX instance_parent ON perdure.instance USING btree (shard, parent_instance_id, id) WHERE (parent_instance_id IS NOT NULL);

CREATE INDEX instance_stalled ON perdure.instance USING btree (shard, id) WHERE (stalled IS NOT NULL);

CREATE INDEX instance_tenant ON perdure.instance USING btree (shard, tenant, id) WHERE (tenant IS NOT NULL);

CREATE INDEX lane_later ON perdure.lane_token USING btree (shard, available_at) WHERE (state = 'later'::text);

CREATE INDEX lane_look ON perdure.lane USING btree (shard, look_at) WHERE (look_at IS NOT NULL);

CREATE INDEX lane_owing ON perdure.lane_token USING btree (shard, lane) WHERE (owed > 0);

CREATE INDEX lane_queue ON perdure.lane_token USING btree (shard, lane, state, ((- priority)), since, instance_id, token_id);

CREATE INDEX lane_shelf ON perdure.lane_token USING btree (shard, handler) WHERE (state = 'shelved'::text);

CREATE INDEX letter_dead ON perdure.letter USING btree (shard, n) WHERE (status = 'dead'::text);

CREATE INDEX letter_lease ON perdure.letter USING btree (shard, locked_until) WHERE (status = 'sending'::text);

CREATE INDEX letter_list ON perdure.letter USING btree (shard, n);

CREATE INDEX letter_queue ON perdure.letter USING btree (shard, instance_id, n) WHERE (status <> 'dead'::text);

CREATE INDEX letter_ready ON perdure.letter USING btree (shard, available_at) WHERE (status = 'ready'::text);

CREATE INDEX letter_sending ON perdure.letter USING btree (shard, instance_id) WHERE (status = 'sending'::text);

CREATE INDEX outbox_order ON perdure.outbox USING btree (shard, n);

CREATE INDEX plan_links ON perdure.plan USING btree (name) WHERE (links IS NOT NULL);

CREATE INDEX plan_version ON perdure.plan USING btree (name, version, saved_at);

CREATE INDEX receipt_over ON perdure.receipt USING btree (shard, expires_at);

CREATE INDEX schedule_due ON perdure.schedule USING btree (shard, flow, next_at) WHERE ((status = 'active'::text) AND (next_at IS NOT NULL));

CREATE INDEX subscription_listening ON perdure.subscription USING btree (shard, type, key) WHERE (listens > 0);

CREATE INDEX subscription_topic ON perdure.subscription USING btree (shard, type, key) WHERE (listens = 0);

CREATE INDEX subscription_wide ON perdure.subscription USING btree (shard) WHERE ((listens = 0) AND ((type = '$any'::text) OR (key = '$any'::text)));

CREATE INDEX tag_number ON perdure.tag USING btree (shard, name, number, instance_id) WHERE (number IS NOT NULL);

CREATE INDEX tag_value ON perdure.tag USING btree (shard, name, type, value, instance_id);

CREATE INDEX task_list_created ON perdure.task_list USING btree (shard, list, name, by_created, instance_id, token_id);

CREATE INDEX task_list_due ON perdure.task_list USING btree (shard, list, name, by_due, instance_id, token_id);

CREATE INDEX task_list_priority ON perdure.task_list USING btree (shard, list, name, by_priority, instance_id, token_id);

CREATE INDEX token_claim ON perdure.token USING btree (shard, handler, ((- priority)), available_at) WHERE ((status = 'ready'::text) AND (handler IS NOT NULL));

CREATE INDEX token_due ON perdure.token USING btree (shard, wake_at) WHERE ((status = 'waiting'::text) AND (wake_at IS NOT NULL));

CREATE INDEX token_incident ON perdure.token USING btree (shard, instance_id) WHERE ((status = 'waiting'::text) AND (last_error IS NOT NULL));

CREATE INDEX token_lease ON perdure.token USING btree (shard, locked_until) WHERE (status = 'executing'::text);

CREATE INDEX token_lone ON perdure.token USING btree (shard, handler, ((- priority)), available_at) WHERE ((status = 'ready'::text) AND (crashes >= 2));

CREATE INDEX unheard_message ON perdure.unheard USING btree (shard, message_id, instance_id);

CREATE VIEW perdure.workflow_instance AS
 SELECT instance.id AS instance_id,
    instance.flow AS workflow_type,
    instance.flow_version AS workflow_version,
    instance.key AS biz_key,
        CASE instance.status
            WHEN 'completed'::text THEN 'COMPLETED'::text
            WHEN 'failed'::text THEN 'FAILED'::text
            WHEN 'canceled'::text THEN 'CANCELED'::text
            ELSE 'RUNNING'::text
        END AS status,
    step.seq AS current_step_seq,
    substr(COALESCE(step.handler, step.held_handler), (length(instance.flow) + 2)) AS current_step_type,
    COALESCE(instance.output, 'null'::text) AS context,
    instance.created_at,
    instance.updated_at,
        CASE
            WHEN (instance.status = 'completed'::text) THEN instance.ended_at
            ELSE NULL::bigint
        END AS completed_at,
        CASE
            WHEN (instance.status = 'failed'::text) THEN instance.ended_at
            ELSE NULL::bigint
        END AS failed_at,
        CASE
            WHEN (instance.status = 'canceled'::text) THEN instance.ended_at
            ELSE NULL::bigint
        END AS canceled_at
   FROM (perdure.instance
     JOIN perdure.token step ON ((((step.shard = instance.shard) AND (step.instance_id = instance.id)) AND (step.id = ( SELECT token.id
           FROM perdure.token
          WHERE (((token.shard = instance.shard) AND (token.instance_id = instance.id)) AND (token.seq IS NOT NULL))
          ORDER BY (token.status = 'completed'::text),
                CASE token.status
                    WHEN 'completed'::text THEN (- token.seq)
                    ELSE token.seq
                END
         LIMIT 1)))));

CREATE VIEW perdure.workflow_step AS
 SELECT token.instance_id,
    token.seq AS step_seq,
    substr(COALESCE(token.handler, token.held_handler), (length(instance.flow) + 2)) AS step_type,
        CASE token.status
            WHEN 'created'::text THEN 'PENDING'::text
            WHEN 'ready'::text THEN 'READY'::text
            WHEN 'executing'::text THEN 'RUNNING'::text
            WHEN 'waiting'::text THEN 'WAITING'::text
            WHEN 'completed'::text THEN 'DONE'::text
            ELSE 'DEAD'::text
        END AS status,
    token.attempts,
    token.max_attempts,
        CASE
            WHEN (token.status = ANY (ARRAY['ready'::text, 'executing'::text])) THEN token.available_at
            ELSE NULL::bigint
        END AS next_run_at,
    token.locked_by,
    token.locked_until,
    perdure.member(token.wait, 'type'::text) AS waiting_event_type,
    COALESCE(token.wake_at, token.held_wake_at, ("substring"(token.wait, '"until":([0-9]+)'::text))::bigint) AS deadline_at,
        CASE
            WHEN (token.status = 'terminated'::text) THEN 'CANCELED'::text
            WHEN (perdure.member(token.last_error, 'code'::text) = 'LEASE_EXPIRED'::text) THEN 'LEASE_EXPIRED'::text
            ELSE perdure.member(token.last_error, 'message'::text)
        END AS last_error,
    token.created_at,
    token.updated_at
   FROM (perdure.token
     JOIN perdure.instance ON (((instance.shard = token.shard) AND (instance.id = token.instance_id))))
  WHERE (token.seq IS NOT NULL);
