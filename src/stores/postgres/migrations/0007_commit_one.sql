-- What most commits are when little goes on, as one call: a step of one instance that uses up the
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
