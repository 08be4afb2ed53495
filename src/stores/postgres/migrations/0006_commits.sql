-- A round of commits as one call: what they have in common is written by one statement for all of
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
