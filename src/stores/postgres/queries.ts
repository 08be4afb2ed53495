/**
 * Every statement the Postgres store runs, under the names and in the order of the SQLite store's.
 * Nowhere else in the project is SQL written for it.
 *
 * One constant per statement, fixed text, never assembled: a query with two shapes is two queries.
 * (`perdure.` stands for the schema, and is put in once.) A parameter that ends in `[]` is a
 * column: what belongs to many instances is written and guarded by one statement (D4). Every
 * statement names the shards it touches (D18); those that look for work name all they look in.
 *
 * Locks are taken in one order, so that nobody waits in a circle: instances by id, then new
 * instances and keys, then tokens. Whoever locks tokens alone (claim, renew, release) passes over
 * those that are locked.
 *
 * `perdure.moment($n)` is the moment of the statement by the database's clock, or what a test says.
 */

/**
 * A start may wait for the key of another that is not committed yet, but not for long: others are
 * in the same batch. And a process that stands still in the middle must not keep its locks: the
 * server ends its session, and with it the transaction.
 *
 * Plans are made for the tables as they are now. One that is kept from when they were small reads
 * them whole when they no longer are: a batch of 100 that took 16 ms takes 741 with 30,000 tokens
 * that nobody has analyzed yet, and planning costs 0.3 ms of a transaction (measured 2026-11).
 */
export const begin = `
  begin;
  set local lock_timeout = 1000; set local idle_in_transaction_session_timeout = 5000;
  set local plan_cache_mode = force_custom_plan`;
/** One moment for several reads. */
export const beginRead = `
  begin isolation level repeatable read, read only;
  set local plan_cache_mode = force_custom_plan`;
export const commit = 'commit';
export const rollback = 'rollback';

/** No row: nothing of ours is in the database yet. */
export const migrationTable = `
  select relname as name from pg_class where oid = to_regclass('perdure.migration')`;

/** Null: the table is there and no migration is. */
export const newestMigration = 'select max(number) as number from perdure.migration';

export const putMigration = `
  insert into perdure.migration (number, name, applied_at) values ($1, $2, $3)`;

export const putPlan = `
  insert into perdure.plan (hash, name, version, body, links, saved_at)
  values ($1, $2, $3, $4, $5, perdure.moment($6))
      on conflict (hash) do nothing`;

/** Of each version the one that was saved last comes last. */
export const plansNow = `
  select hash, name, version from perdure.plan where name > '' order by name, version, saved_at`;

/** No row: nobody saved that plan. */
export const findPlan = 'select hash, name, version, body from perdure.plan where hash = $1';

/** Every name is greater than none: so only the chains are walked, by their index. */
export const linksOf = `
  select distinct links from perdure.plan where name > '' and links is not null`;

/** No row: there is no such instance. */
export const findInstance = `
  select i.id, i.plan_hash, i.flow, i.flow_version, i.status, i.version, i.counter, i.key, i.tenant,
         i.priority, b.body as input, i.output, i.fault, i.stalled, i.outcome, i.pauses,
         i.parent_instance_id, i.parent_token_id, i.created_at, i.updated_at, i.ended_at
    from unnest($1::smallint[], $2::text[]) as wanted (shard, id)
    join perdure.instance as i on (i.shard, i.id) = (wanted.shard, wanted.id)
    left join perdure.instance_input as b on (b.shard, b.instance_id) = (i.shard, i.id)`;

/** Those that are held as they would be if they were not. */
export const tokensOf = `
  select t.instance_id, t.id, t.scope_id, t.node_id, t.via,
         coalesce(t.handler, t.held_handler) as handler, t.seq, t.status, t.mode, t.groups, t.visit,
         t.attempts, t.crashes, t.max_attempts, coalesce(t.own_priority, t.priority) as priority,
         t.lanes,
         coalesce(t.due_at, t.available_at) as available_at, t.wait,
         coalesce(t.wake_at, t.held_wake_at) as wake_at, t.wake, t.last_error, t.hops, t.created_at,
         t.updated_at
    from unnest($1::smallint[], $2::text[]) as wanted (shard, id)
    join perdure.token as t on (t.shard, t.instance_id) = (wanted.shard, wanted.id)
   order by t.id`;

export const scopesOf = `
  select s.instance_id, s.id, s.parent_id, s.owner_id, s.node_id, s.item_index, s.item, s.drains_id
    from unnest($1::smallint[], $2::text[]) as wanted (shard, id)
    join perdure.scope as s on (s.shard, s.instance_id) = (wanted.shard, wanted.id)
   order by s.id`;

export const variablesOf = `
  select v.instance_id, v.scope_id, v.space, v.name, v.value
    from unnest($1::smallint[], $2::text[]) as wanted (shard, id)
    join perdure.variable as v on (v.shard, v.instance_id) = (wanted.shard, wanted.id)
   order by v.place`;

export const latchesOf = `
  select l.instance_id, l.scope_id, l.node_id, l.group_id, l.fired
    from unnest($1::smallint[], $2::text[]) as wanted (shard, id)
    join perdure.latch as l on (l.shard, l.instance_id) = (wanted.shard, wanted.id)
   order by l.scope_id, l.group_id, l.node_id`;

export const undosOf = `
  select u.instance_id, u.id, u.saga_id, u.node_id, u.token_id, u.visit, u.result, u.item_index,
         u.item, u.in_doubt, u.status, u.by_id, u.fault
    from unnest($1::smallint[], $2::text[]) as wanted (shard, id)
    join perdure.undo as u on (u.shard, u.instance_id) = (wanted.shard, wanted.id)
   order by u.id`;

/** The first guard of a commit, and its lock. No row: there is no such instance. */
export const versionOf = `
  select i.id, i.version
    from unnest($1::smallint[], $2::text[]) as wanted (shard, id)
    join perdure.instance as i on (i.shard, i.id) = (wanted.shard, wanted.id)
   order by i.shard, i.id
     for no key update of i`;

/** No row: the key is free. */
export const keyHolder = `
  select k.flow, k.key, k.instance_id as id
    from unnest($1::smallint[], $2::text[], $3::text[]) as wanted (shard, flow, key)
    join perdure.business_key as k
      on (k.shard, k.flow, k.key) = (wanted.shard, wanted.flow, wanted.key)`;

/** Until when the claims hold, by the clock alone. No row: it was lost. */
export const fence = `
  select t.instance_id, t.id, t.locked_until
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
         as held (shard, instance_id, id, worker, version)
    join perdure.token as t
      on (t.shard, t.instance_id, t.id) = (held.shard, held.instance_id, held.id)
   where (t.locked_by, t.version) = (held.worker, held.version)
   order by t.shard, t.instance_id, t.id
     for no key update of t`;

/** No row: the instance has not had the message. */
export const findDelivery = `
  select d.message_id, d.instance_id
    from unnest($1::smallint[], $2::text[], $3::text[], $4::smallint[])
         as asked (shard, message_id, instance_id, heard)
    join perdure.delivery as d on (d.shard, d.message_id, d.instance_id, d.heard)
         = (asked.shard, asked.message_id, asked.instance_id, asked.heard)`;

/** No row: the id is taken. (Whoever is just taking it is waited for.) */
export const putInstance = `
  insert into perdure.instance (shard, id, plan_hash, flow, flow_version, status, version, counter,
         priority, output, fault, stalled, updated_at, ended_at, outcome, key, tenant, created_at,
         parent_instance_id, parent_token_id)
  select *
    from unnest($1::smallint[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::text[],
         $7::bigint[], $8::bigint[], $9::bigint[], $10::text[], $11::text[], $12::text[],
         $13::bigint[], $14::bigint[], $15::text[], $16::text[], $17::text[], $18::bigint[],
         $19::text[], $20::bigint[]) as born (shard, id)
   order by born.shard, born.id
      on conflict (shard, id) do nothing
  returning id`;

/** Its key, its input and who called it never change; the guard has seen the version. */
export const updateInstance = `
  update perdure.instance as i
     set plan_hash = n.plan_hash, flow = n.flow, flow_version = n.flow_version, status = n.status,
         version = n.version, counter = n.counter, priority = n.priority, output = n.output,
         fault = n.fault, stalled = n.stalled, updated_at = n.updated_at, ended_at = n.ended_at,
         outcome = n.outcome
    from unnest($1::smallint[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::text[],
         $7::bigint[], $8::bigint[], $9::bigint[], $10::text[], $11::text[], $12::text[],
         $13::bigint[], $14::bigint[], $15::text[])
         as n (shard, id, plan_hash, flow, flow_version, status, version, counter, priority, output,
         fault, stalled, updated_at, ended_at, outcome)
   where (i.shard, i.id) = (n.shard, n.id)`;

export const putPauses = `
  update perdure.instance as i
     set pauses = n.pauses, halted = n.halted
    from unnest($1::smallint[], $2::text[], $3::text[], $4::smallint[])
         as n (shard, id, pauses, halted)
   where (i.shard, i.id) = (n.shard, n.id)`;

export const putInput = `
  insert into perdure.instance_input (shard, instance_id, body)
  select * from unnest($1::smallint[], $2::text[], $3::text[])`;

/** No row: an instance has the key. (Whoever is just taking it is waited for.) */
export const putKey = `
  insert into perdure.business_key (shard, flow, key, instance_id)
  select *
    from unnest($1::smallint[], $2::text[], $3::text[], $4::text[]) as born (shard, flow, key)
   order by born.shard, born.flow, born.key
      on conflict (shard, flow, key) do nothing
  returning flow, key`;

/** No row: another instance has the key by now. */
export const dropKey = `
  delete from perdure.business_key as k
   using unnest($1::smallint[], $2::text[], $3::text[], $4::text[])
         as freed (shard, flow, key, instance_id)
   where (k.shard, k.flow, k.key, k.instance_id)
         = (freed.shard, freed.flow, freed.key, freed.instance_id)`;

/**
 * A new token, or an altered one: every write adds one to the version and takes the token from
 * whoever had it. If the same worker goes on with it, it comes as executing, with worker, now and
 * lease, and one more is added. No version is below the first that is given.
 */
export const putToken = `
  insert into perdure.token as t (shard, instance_id, id, scope_id, node_id, via, handler, seq,
         status, mode, groups, visit, attempts, crashes, max_attempts, priority, available_at, wait,
         wake_at, wake, last_error, hops, created_at, updated_at, locked_by, locked_at,
         locked_until, version)
  select n.shard, n.instance_id, n.id, scope_id, node_id, via, handler, seq, status, mode, groups,
         visit, attempts, crashes, max_attempts, priority, available_at, wait, wake_at, wake,
         last_error, hops, created_at, updated_at, worker, now, now + lease_ms,
         first + (worker is not null)::integer
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[],
         $7::text[], $8::integer[], $9::text[], $10::text[], $11::text[], $12::integer[],
         $13::integer[], $14::integer[], $15::bigint[], $16::bigint[], $17::bigint[], $18::text[],
         $19::bigint[], $20::text[], $21::text[], $22::integer[], $23::bigint[], $24::bigint[],
         $25::text[], $26::bigint[], $27::bigint[], $28::bigint[])
         as n (shard, instance_id, id, scope_id, node_id, via, handler, seq, status, mode, groups,
         visit, attempts, crashes, max_attempts, priority, available_at, wait, wake_at, wake,
         last_error, hops, created_at, updated_at, worker, now, lease_ms, first)
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
         locked_until = excluded.locked_until,
         version = greatest(t.version + 1 + (excluded.locked_by is not null)::integer,
                            excluded.version)
  returning instance_id, id, version`;

export const endToken = `
  delete from perdure.token as t
   using unnest($1::smallint[], $2::text[], $3::bigint[]) as ended (shard, instance_id, id)
   where (t.shard, t.instance_id, t.id) = (ended.shard, ended.instance_id, ended.id)`;

/** Opens it. One that is open already can come to lie elsewhere, be let go of, or drain. */
export const putScope = `
  insert into perdure.scope (shard, instance_id, id, parent_id, owner_id, drains_id, node_id,
         item_index, item)
  select *
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
         $7::text[], $8::integer[], $9::text[])
      on conflict (shard, instance_id, id) do update
     set parent_id = excluded.parent_id, owner_id = excluded.owner_id,
         drains_id = excluded.drains_id, node_id = excluded.node_id,
         item_index = excluded.item_index, item = excluded.item`;

export const closeScope = `
  delete from perdure.scope as s
   using unnest($1::smallint[], $2::text[], $3::bigint[]) as closed (shard, instance_id, id)
   where (s.shard, s.instance_id, s.id) = (closed.shard, closed.instance_id, closed.id)`;

export const closeVariables = `
  delete from perdure.variable as v
   using unnest($1::smallint[], $2::text[], $3::bigint[]) as closed (shard, instance_id, id)
   where (v.shard, v.instance_id, v.scope_id) = (closed.shard, closed.instance_id, closed.id)`;

export const addVariable = `
  insert into perdure.variable (shard, instance_id, scope_id, space, name, place, value)
  select *
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[],
         $7::text[])`;

/** The place stays that of the first write, as it does in an object. */
export const putVariable = `
  insert into perdure.variable (shard, instance_id, scope_id, space, name, place, value)
  select *
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[],
         $7::text[])
      on conflict (shard, instance_id, scope_id, space, name) do update
     set value = excluded.value`;

export const putLatch = `
  insert into perdure.latch (shard, instance_id, scope_id, node_id, group_id, fired)
  select *
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::smallint[])
      on conflict (shard, instance_id, scope_id, group_id, node_id) do update
     set fired = excluded.fired`;

export const dropLatch = `
  delete from perdure.latch as l
   using unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
         as gone (shard, instance_id, scope_id, node_id, group_id)
   where (l.shard, l.instance_id, l.scope_id, l.group_id, l.node_id)
         = (gone.shard, gone.instance_id, gone.scope_id, gone.group_id, gone.node_id)`;

export const subscribe = `
  insert into perdure.subscription (shard, instance_id, token_id, type, key, since, listens)
  select *
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[],
         $7::smallint[])
      on conflict do nothing`;

export const unsubscribe = `
  delete from perdure.subscription as s
   using unnest($1::smallint[], $2::text[], $3::bigint[]) as gone (shard, instance_id, token_id)
   where (s.shard, s.instance_id, s.token_id) = (gone.shard, gone.instance_id, gone.token_id)`;

/** One that listens is busy from now on, or no longer. */
export const turn = `
  update perdure.subscription as s
     set listens = turned.listens
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::smallint[])
         as turned (shard, instance_id, token_id, listens)
   where (s.shard, s.instance_id, s.token_id)
         = (turned.shard, turned.instance_id, turned.token_id)`;

/**
 * What was published since someone began to listen, and before that was known. Messages may lie in
 * any shard.
 */
export const catchUp = `
  with begun (shard, instance_id, type, key, since, tenant) as materialized (
    select b.shard, b.instance_id, b.type, b.key, b.since,
           (select i.tenant from perdure.instance as i
             where (i.shard, i.id) = (b.shard, b.instance_id))
      from unnest($1::smallint[], $2::text[], $3::text[], $4::text[], $5::bigint[])
           as b (shard, instance_id, type, key, since)
  ),
  missed as (
    select b.shard, b.instance_id, m.n, m.shard as message_shard, m.id
      from begun as b
     cross join lateral (
           select m.shard, m.n, m.id
             from perdure.inbox as m
            where m.shard = any ('{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}'::smallint[])
              and m.status = 'pending' and m.type = b.type and m.published_at >= b.since
              and (m.instance_id is null and (m.key = b.key or b.key = '$any')
                   or m.instance_id = b.instance_id)
              and (m.tenant is null or m.tenant = b.tenant)) as m
     union all
    select b.shard, b.instance_id, m.n, m.shard, m.id
      from begun as b
     cross join lateral (
           select m.shard, m.n, m.id
             from perdure.inbox as m
            where m.shard = any ('{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}'::smallint[])
              and m.status = 'pending' and m.expires_at >= b.since and m.published_at >= b.since
              and (m.instance_id is null and (m.key = b.key or b.key = '$any')
                   or m.instance_id = b.instance_id)
              and (m.tenant is null or m.tenant = b.tenant)) as m
     where b.type = '$any'
  )
  insert into perdure.unheard (shard, instance_id, n, message_shard, message_id)
  select distinct missed.*
    from missed
   where not exists (select from perdure.delivery as d
                      where (d.shard, d.message_id, d.instance_id, d.heard)
                            = (missed.shard, missed.id, missed.instance_id, 1))
      on conflict do nothing`;

/** Where nobody listens any more, nothing is to be heard. */
export const hush = `
  delete from perdure.unheard as u
   using unnest($1::smallint[], $2::text[]) as hushed (shard, instance_id)
   where (u.shard, u.instance_id) = (hushed.shard, hushed.instance_id)
     and not exists (select from perdure.subscription as s
                      where (s.shard, s.instance_id) = (hushed.shard, hushed.instance_id)
                        and s.listens > 0)`;

export const putTask = `
  insert into perdure.task (shard, instance_id, token_id, node_id, kind, flow, tenant, assignee,
         priority, due_at, follow_up_at, created_at)
  select *
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[],
         $7::text[], $8::text[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[])
      on conflict (shard, instance_id, token_id) do update
     set node_id = excluded.node_id, kind = excluded.kind, flow = excluded.flow,
         tenant = excluded.tenant, assignee = excluded.assignee, priority = excluded.priority,
         due_at = excluded.due_at, follow_up_at = excluded.follow_up_at,
         created_at = excluded.created_at`;

export const closeTask = `
  delete from perdure.task as t
   using unnest($1::smallint[], $2::text[], $3::bigint[]) as closed (shard, instance_id, token_id)
   where (t.shard, t.instance_id, t.token_id)
         = (closed.shard, closed.instance_id, closed.token_id)`;

export const listTask = `
  insert into perdure.task_list (shard, instance_id, token_id, list, name, by_created, by_due,
         by_priority)
  select *
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[],
         $7::bigint[], $8::bigint[])`;

export const unlistTask = `
  delete from perdure.task_list as l
   using unnest($1::smallint[], $2::text[], $3::bigint[]) as closed (shard, instance_id, token_id)
   where (l.shard, l.instance_id, l.token_id)
         = (closed.shard, closed.instance_id, closed.token_id)`;

export const putUndo = `
  insert into perdure.undo (shard, instance_id, id, saga_id, node_id, token_id, visit, result,
         item_index, item, in_doubt, status, by_id, fault)
  select *
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[],
         $7::integer[], $8::text[], $9::integer[], $10::text[], $11::smallint[], $12::text[],
         $13::bigint[], $14::text[])
      on conflict (shard, instance_id, id) do update
     set saga_id = excluded.saga_id, node_id = excluded.node_id, token_id = excluded.token_id,
         visit = excluded.visit, result = excluded.result, item_index = excluded.item_index,
         item = excluded.item, in_doubt = excluded.in_doubt, status = excluded.status,
         by_id = excluded.by_id, fault = excluded.fault`;

export const dropUndo = `
  delete from perdure.undo as u
   using unnest($1::smallint[], $2::text[], $3::bigint[]) as gone (shard, instance_id, id)
   where (u.shard, u.instance_id, u.id) = (gone.shard, gone.instance_id, gone.id)`;

export const putTag = `
  insert into perdure.tag (shard, instance_id, name, type, value, number)
  select *
    from unnest($1::smallint[], $2::text[], $3::text[], $4::text[], $5::text[],
         $6::double precision[])
      on conflict (shard, instance_id, name) do update
     set type = excluded.type, value = excluded.value, number = excluded.number`;

export const dropTag = `
  delete from perdure.tag as g
   using unnest($1::smallint[], $2::text[], $3::text[]) as gone (shard, instance_id, name)
   where (g.shard, g.instance_id, g.name) = (gone.shard, gone.instance_id, gone.name)`;

/** An ended instance leaves the finished steps of its chain, and what could not be undone. */
export const clearTokens = `
  delete from perdure.token as t
   using unnest($1::smallint[], $2::text[]) as ended (shard, id)
   where (t.shard, t.instance_id) = (ended.shard, ended.id) and t.seq is null`;

export const clearScopes = `
  delete from perdure.scope as s
   using unnest($1::smallint[], $2::text[]) as ended (shard, id)
   where (s.shard, s.instance_id) = (ended.shard, ended.id)`;

export const clearVariables = `
  delete from perdure.variable as v
   using unnest($1::smallint[], $2::text[]) as ended (shard, id)
   where (v.shard, v.instance_id) = (ended.shard, ended.id)`;

export const clearLatches = `
  delete from perdure.latch as l
   using unnest($1::smallint[], $2::text[]) as ended (shard, id)
   where (l.shard, l.instance_id) = (ended.shard, ended.id)`;

export const clearSubscriptions = `
  delete from perdure.subscription as s
   using unnest($1::smallint[], $2::text[]) as ended (shard, id)
   where (s.shard, s.instance_id) = (ended.shard, ended.id)`;

export const clearTasks = `
  delete from perdure.task as t
   using unnest($1::smallint[], $2::text[]) as ended (shard, id)
   where (t.shard, t.instance_id) = (ended.shard, ended.id)`;

export const clearTaskLists = `
  delete from perdure.task_list as l
   using unnest($1::smallint[], $2::text[]) as ended (shard, id)
   where (l.shard, l.instance_id) = (ended.shard, ended.id)`;

export const clearUndos = `
  delete from perdure.undo as u
   using unnest($1::smallint[], $2::text[]) as ended (shard, id)
   where (u.shard, u.instance_id) = (ended.shard, ended.id) and u.status <> 'failed'`;

/** Before the tokens of the commit that resumes are written: what they are then, they stay. */
export const freeTokens = `
  update perdure.token as t
     set handler = coalesce(t.handler, t.held_handler), held_handler = null,
         wake_at = coalesce(t.wake_at, t.held_wake_at), held_wake_at = null
    from unnest($1::smallint[], $2::text[]) as freed (shard, id)
   where (t.shard, t.instance_id) = (freed.shard, freed.id)
     and (t.held_handler is not null or t.held_wake_at is not null)`;

export const putDelivery = `
  insert into perdure.delivery (shard, message_id, instance_id, at, heard)
  select * from unnest($1::smallint[], $2::text[], $3::text[], $4::bigint[], $5::smallint[])`;

export const dropUnheard = `
  delete from perdure.unheard as u
   using unnest($1::smallint[], $2::text[], $3::text[]) as heard (shard, instance_id, message_id)
   where (u.shard, u.message_id, u.instance_id)
         = (heard.shard, heard.message_id, heard.instance_id)`;

export const putHistory = `
  insert into perdure.history (shard, instance_id, n, commit_id, at, changes)
  select *
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::text[])`;

export const putSnapshot = `
  insert into perdure.snapshot (shard, instance_id, n, body)
  select * from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[])`;

/**
 * Its instance is suspended, and it waits for nothing meanwhile. What is at work goes on to the end
 * of its step, and is at work until then.
 */
export const sleepLanes = `
  update perdure.lane_token as p
     set state = 'asleep', begun = 0, passed_at = null
    from unnest($1::smallint[], $2::text[]) as asleep (shard, id)
   where (p.shard, p.instance_id) = (asleep.shard, asleep.id)
     and p.state not in ('asleep', 'gone')
     and not (p.state = 'passed'
              and exists (select
                            from perdure.token as t
                           where (t.shard, t.instance_id, t.id)
                                 = (p.shard, p.instance_id, p.token_id)
                             and t.status = 'executing'))`;

/**
 * Puts aside what the indexes of work and timers go by, and touches nothing else: who has claimed
 * one keeps it.
 */
export const holdTokens = `
  update perdure.token as t
     set held_handler = coalesce(t.handler, t.held_handler), handler = null,
         held_wake_at = coalesce(t.wake_at, t.held_wake_at), wake_at = null
    from unnest($1::smallint[], $2::text[]) as held (shard, id)
   where (t.shard, t.instance_id) = (held.shard, held.id)
     and t.status in ('ready', 'executing', 'waiting')
     and (t.handler is not null or t.wake_at is not null)`;

/** One that was just written, as it is now: what was put aside before is forgotten. */
export const holdToken = `
  update perdure.token as t
     set held_handler = held.handler, handler = null, held_wake_at = held.wake_at, wake_at = null
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
         as held (shard, instance_id, id, handler, wake_at)
   where (t.shard, t.instance_id, t.id) = (held.shard, held.instance_id, held.id)`;

/** Somebody is to look at the lanes of a token, */
export const tellLanes = `
  insert into perdure.lane_news (shard, lane)
  select distinct p.shard, p.lane
    from unnest($1::smallint[], $2::text[], $3::bigint[]) as told (shard, instance_id, token_id)
    join perdure.lane_token as p
      on (p.shard, p.instance_id, p.token_id) = (told.shard, told.instance_id, told.token_id)`;

/** It has ended, or is written anew: whoever looks at its lanes finds one less. */
export const leaveLanes = `
  update perdure.lane_token as p
     set owed = p.owed + (p.state = 'passed' and p.begun = 0)::integer,
         owed_at = greatest(p.owed_at, gone.began), state = 'gone', begun = 0, passed_at = null
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::bigint[])
         as gone (shard, instance_id, token_id, began)
   where (p.shard, p.instance_id, p.token_id) = (gone.shard, gone.instance_id, gone.token_id)
     and p.state <> 'gone'`;

/** What is put aside of it while it waits, and the limits it is under. */
export const putLanes = `
  update perdure.token as t
     set held_handler = held.handler, lanes = held.lanes, due_at = null, own_priority = null
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::text[])
         as held (shard, instance_id, id, handler, lanes)
   where (t.shard, t.instance_id, t.id) = (held.shard, held.instance_id, held.id)`;

/** What it owes it owes to the lane it was in. */
export const enterLane = `
  insert into perdure.lane_token as p (shard, instance_id, token_id, lane, ordinal, lanes, state,
         handler, priority, since, available_at, begun, owed)
  select n.*, 0, 0
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::smallint[],
                $6::smallint[], $7::text[], $8::text[], $9::bigint[], $10::bigint[],
                $11::bigint[]) as n
      on conflict (shard, instance_id, token_id, ordinal) do update
     set lane = excluded.lane, lanes = excluded.lanes, state = excluded.state,
         handler = excluded.handler, priority = excluded.priority, since = excluded.since,
         available_at = excluded.available_at, begun = 0, passed_at = null,
         owed = case when p.lane = excluded.lane then p.owed else 0 end,
         owed_at = case when p.lane = excluded.lane then p.owed_at end`;

/** at one to which somebody came, who knows its numbers, */
export const tellLane = `
  insert into perdure.lane_news (shard, lane, version, concurrency, rate_max, rate_per_ms)
  select distinct on (told.lane, told.version) told.*
    from unnest($1::smallint[], $2::text[], $3::integer[], $4::bigint[], $5::bigint[],
                $6::bigint[]) as told (shard, lane, version, concurrency, rate_max, rate_per_ms)`;

/** Its instance goes on. */
export const wakeLanes = `
  update perdure.lane_token as p
     set state = case p.ordinal when 0 then 'waiting' else 'aside' end
    from unnest($1::smallint[], $2::text[]) as woken (shard, id)
   where (p.shard, p.instance_id) = (woken.shard, woken.id)
     and p.state = 'asleep'`;

/** and at all of an instance's. */
export const tellAll = `
  insert into perdure.lane_news (shard, lane)
  select distinct p.shard, p.lane
    from unnest($1::smallint[], $2::text[]) as told (shard, id)
    join perdure.lane_token as p on (p.shard, p.instance_id) = (told.shard, told.id)`;

/** Nobody claims one of an instance while it is decided which of them are at work. */
export const lockTokens = `
  select t.id
    from unnest($1::smallint[], $2::text[]) as asleep (shard, id)
    join perdure.token as t on (t.shard, t.instance_id) = (asleep.shard, asleep.id)
   order by t.shard, t.instance_id, t.id
     for no key update of t`;

/** Lanes of what nobody wants any more and has not begun. */
export const tellDrained = `
  insert into perdure.lane_news (shard, lane)
  select distinct p.shard, p.lane
    from unnest($1::smallint[], $2::text[], $3::bigint[]) as d (shard, instance_id, token_id)
    join perdure.lane_token as p
      on (p.shard, p.instance_id, p.token_id) = (d.shard, d.instance_id, d.token_id)
   where p.state in ('waiting', 'aside', 'later', 'shelved')`;

export const leaveDrained = `
  update perdure.lane_token as p
     set state = 'gone', begun = 0, passed_at = null
    from unnest($1::smallint[], $2::text[], $3::bigint[]) as d (shard, instance_id, token_id)
   where (p.shard, p.instance_id, p.token_id) = (d.shard, d.instance_id, d.token_id)
     and p.state in ('waiting', 'aside', 'later', 'shelved')`;

export const freeDrained = `
  update perdure.token as t
     set handler = t.held_handler, held_handler = null
    from unnest($1::smallint[], $2::text[], $3::bigint[]) as d (shard, instance_id, id)
   where (t.shard, t.instance_id, t.id) = (d.shard, d.instance_id, d.id)
     and t.status = 'ready' and t.handler is null and t.held_handler is not null`;

/** Everything was set free; whoever waits in a lane is held again. */
export const holdWaiting = `
  update perdure.token as t
     set held_handler = coalesce(t.handler, t.held_handler), handler = null
    from unnest($1::smallint[], $2::text[]) as woken (shard, id)
   where (t.shard, t.instance_id) = (woken.shard, woken.id)
     and t.status = 'ready'
     and t.handler is not null
     and exists (select
                   from perdure.lane_token as p
                  where (p.shard, p.instance_id, p.token_id) = (t.shard, t.instance_id, t.id)
                    and p.state in ('waiting', 'aside', 'later', 'shelved'))`;

/** No row: that commit did not come about, whoever made the version instead. */
export const findCommit = `
  select h.instance_id, h.n, h.commit_id
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[])
         as asked (shard, instance_id, n, commit_id)
    join perdure.history as h
      on (h.shard, h.instance_id, h.n) = (asked.shard, asked.instance_id, asked.n)
   where h.commit_id = asked.commit_id`;

/** Tokens that commits took, with the version each made. No row: the worker has lost it since. */
export const findTaken = `
  select t.instance_id, t.id, t.version, t.locked_by,
         coalesce(t.handler, t.held_handler) as handler, t.locked_at, t.locked_until,
         asked.n as instance_version
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
         as asked (shard, instance_id, id, worker, n)
    join perdure.token as t
      on (t.shard, t.instance_id, t.id) = (asked.shard, asked.instance_id, asked.id)
   where (t.status, t.locked_by) = ('executing', asked.worker)
   order by t.instance_id, t.id`;

/**
 * Takes ready tokens of these handlers that are due: most urgent, then longest due.
 *
 * Each priority of each handler is one stretch of the index, in order of time, and `level` steps
 * from stretch to stretch of each shard. So a claim reads little more than it takes, and nothing at
 * all where nothing is ready. Of each stretch $8 are looked at, of all of them $5, which is more
 * than are taken ($4): what another process has locked is passed over. Only what is taken is
 * locked, and one that changed meanwhile is not: the version of the instance would no longer be the
 * one read with it. A row is found again by its place, its own until somebody writes it. There is
 * always a row, which says how many were looked at; without a token nothing was taken.
 */
export const claimable = `
  with recursive level (shard, handler, urgency) as (
    select s.shard, f.handler, f.urgency
      from unnest($1::smallint[]) as s (shard)
     cross join lateral (
           select handler, - priority as urgency
             from perdure.token
            where shard = s.shard and status = 'ready' and handler is not null
            order by handler, - priority
            limit 1) as f
     union all
    select l.shard, f.handler, f.urgency
      from level as l
     cross join lateral (
           select handler, - priority as urgency
             from perdure.token
            where shard = l.shard and status = 'ready' and handler is not null
              and (handler, - priority) > (l.handler, l.urgency)
            order by handler, - priority
            limit 1) as f
  ),
  candidate as materialized (
    select c.*
      from level as l
     cross join lateral (
           select shard, ctid as place, instance_id, id, version, priority, available_at
             from perdure.token
            where shard = l.shard and status = 'ready' and handler is not null
              and handler = l.handler and - priority = l.urgency
              and available_at <= perdure.moment($3) and crashes < 2
            order by available_at
            limit $8) as c
     where l.handler = any ($2::text[])
     order by c.priority desc, c.available_at, c.instance_id, c.id
     limit $5
  ),
  taken as materialized (
    select t.*
      from candidate as c
     cross join lateral (
           select shard, ctid as place
             from perdure.token
            where (shard, ctid) = (c.shard, c.place) and (status, version) = ('ready', c.version)
              for no key update skip locked) as t
     limit $4
  ),
  claim as (
    update perdure.token as t
       set status = 'executing', version = t.version + 1,
           locked_by = $6, locked_at = perdure.moment($3),
           locked_until = perdure.moment($3) + $7::bigint
      from taken, perdure.instance as i
     where (t.shard, t.ctid) = (taken.shard, taken.place)
       and (i.shard, i.id) = (t.shard, t.instance_id)
    returning t.instance_id, t.id, t.version, t.locked_by, t.handler, t.locked_at, t.locked_until,
           i.version as instance_version, t.priority, t.available_at
  )
  select looked.rows as looked, claim.*
    from (select count(*) as rows from candidate) as looked
    left join claim on true`;

/**
 * The same for one of those that have cost two workers their lives. One that was suspended
 * meanwhile has its version still, and no handler.
 */
export const claimableLone = `
  with candidate as materialized (
    select shard, instance_id, id, version
      from perdure.token
     where shard = any ($1::smallint[]) and status = 'ready' and crashes >= 2
       and handler = any ($2::text[])
       and available_at <= perdure.moment($3)
     order by priority desc, available_at, instance_id, id
     limit 100
  ),
  taken as materialized (
    select t.*
      from candidate as c
     cross join lateral (
           select shard, instance_id, id
             from perdure.token
            where (shard, instance_id, id) = (c.shard, c.instance_id, c.id)
              and (status, version) = ('ready', c.version)
              and handler is not null
              for no key update skip locked) as t
     limit 1
  )
  update perdure.token as t
     set status = 'executing', version = t.version + 1,
         locked_by = $4, locked_at = perdure.moment($3),
         locked_until = perdure.moment($3) + $5::bigint
    from taken
    join perdure.instance as i on (i.shard, i.id) = (taken.shard, taken.instance_id)
   where (t.shard, t.instance_id, t.id) = (taken.shard, taken.instance_id, taken.id)
  returning t.instance_id, t.id, t.version, t.locked_by, t.handler, t.locked_at, t.locked_until,
         i.version as instance_version`;

/** The same for a tenant ($9): what others have that is due is passed over. */
export const claimableOf = `
  with recursive level (shard, handler, urgency) as (
    select s.shard, f.handler, f.urgency
      from unnest($1::smallint[]) as s (shard)
     cross join lateral (
           select handler, - priority as urgency
             from perdure.token
            where shard = s.shard and status = 'ready' and handler is not null
            order by handler, - priority
            limit 1) as f
     union all
    select l.shard, f.handler, f.urgency
      from level as l
     cross join lateral (
           select handler, - priority as urgency
             from perdure.token
            where shard = l.shard and status = 'ready' and handler is not null
              and (handler, - priority) > (l.handler, l.urgency)
            order by handler, - priority
            limit 1) as f
  ),
  candidate as materialized (
    select c.*
      from level as l
     cross join lateral (
           select shard, ctid as place, instance_id, id, version, priority, available_at
             from perdure.token
            where shard = l.shard and status = 'ready' and handler is not null
              and handler = l.handler and - priority = l.urgency
              and available_at <= perdure.moment($3) and crashes < 2
              and (select i.tenant from perdure.instance as i
                    where (i.shard, i.id) = (token.shard, token.instance_id)) = $9
            order by available_at
            limit $8) as c
     where l.handler = any ($2::text[])
     order by c.priority desc, c.available_at, c.instance_id, c.id
     limit $5
  ),
  taken as materialized (
    select t.*
      from candidate as c
     cross join lateral (
           select shard, ctid as place
             from perdure.token
            where (shard, ctid) = (c.shard, c.place) and (status, version) = ('ready', c.version)
              for no key update skip locked) as t
     limit $4
  ),
  claim as (
    update perdure.token as t
       set status = 'executing', version = t.version + 1,
           locked_by = $6, locked_at = perdure.moment($3),
           locked_until = perdure.moment($3) + $7::bigint
      from taken, perdure.instance as i
     where (t.shard, t.ctid) = (taken.shard, taken.place)
       and (i.shard, i.id) = (t.shard, t.instance_id)
    returning t.instance_id, t.id, t.version, t.locked_by, t.handler, t.locked_at, t.locked_until,
           i.version as instance_version, t.priority, t.available_at
  )
  select looked.rows as looked, claim.*
    from (select count(*) as rows from candidate) as looked
    left join claim on true`;

export const claimableLoneOf = `
  with candidate as materialized (
    select shard, instance_id, id, version
      from perdure.token
     where shard = any ($1::smallint[]) and status = 'ready' and crashes >= 2
       and handler = any ($2::text[])
       and available_at <= perdure.moment($3)
       and (select i.tenant from perdure.instance as i
             where (i.shard, i.id) = (token.shard, token.instance_id)) = $6
     order by priority desc, available_at, instance_id, id
     limit 100
  ),
  taken as materialized (
    select t.*
      from candidate as c
     cross join lateral (
           select shard, instance_id, id
             from perdure.token
            where (shard, instance_id, id) = (c.shard, c.instance_id, c.id)
              and (status, version) = ('ready', c.version)
              and handler is not null
              for no key update skip locked) as t
     limit 1
  )
  update perdure.token as t
     set status = 'executing', version = t.version + 1,
         locked_by = $4, locked_at = perdure.moment($3),
         locked_until = perdure.moment($3) + $5::bigint
    from taken
    join perdure.instance as i on (i.shard, i.id) = (taken.shard, taken.instance_id)
   where (t.shard, t.instance_id, t.id) = (taken.shard, taken.instance_id, taken.id)
  returning t.instance_id, t.id, t.version, t.locked_by, t.handler, t.locked_at, t.locked_until,
         i.version as instance_version`;

/** The compare-and-set on one token. No row: it is not ready, not due, or moved on. */
export const claimOne = `
  update perdure.token as t
     set status = 'executing', version = t.version + 1,
         locked_by = $5, locked_at = perdure.moment($6),
         locked_until = perdure.moment($6) + $7::bigint
    from perdure.instance as i
   where (t.shard, t.instance_id, t.id, t.version, t.status) = ($1, $2, $3, $4, 'ready')
     and t.handler is not null
     and t.available_at <= perdure.moment($6)
     and (i.shard, i.id) = (t.shard, t.instance_id)
  returning t.instance_id, t.id, t.version, t.locked_by, t.handler, t.locked_at, t.locked_until,
         i.version as instance_version`;

/** Never shortens a lease. What is locked is just being settled, and is passed over. */
export const renew = `
  with standing as materialized (
    select t.*
      from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
           as held (shard, instance_id, id, worker, version)
     cross join lateral (
           select shard, instance_id, id
             from perdure.token
            where (shard, instance_id, id) = (held.shard, held.instance_id, held.id)
              and (status, locked_by, version) = ('executing', held.worker, held.version)
              for no key update skip locked) as t
  )
  update perdure.token as t
     set locked_until = greatest(t.locked_until, perdure.moment($6) + $7::bigint)
    from standing
   where (t.shard, t.instance_id, t.id) = (standing.shard, standing.instance_id, standing.id)`;

/**
 * No row: the claim was lost, and is left to whoever has it; or it is just being settled. Under a
 * limit it is held again, and waits again: it has begun when it was claimed, and will once more.
 * Of what is suspended nobody waits. All of it is one statement, about the same tokens: one that
 * somebody has locked for a moment would be given back and still count as at work, or the other way
 * round.
 */
export const release = `
  with standing as materialized (
    select t.*
      from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
           as held (shard, instance_id, id, worker, version)
     cross join lateral (
           select shard, instance_id, id, locked_at, handler, lanes
             from perdure.token
            where (shard, instance_id, id) = (held.shard, held.instance_id, held.id)
              and (status, locked_by, version) = ('executing', held.worker, held.version)
              and locked_until >= perdure.moment($6)
              for no key update skip locked) as t
  ),
  told as (
    insert into perdure.lane_news (shard, lane)
    select distinct p.shard, p.lane
      from standing
      join perdure.lane_token as p
        on (p.shard, p.instance_id, p.token_id)
           = (standing.shard, standing.instance_id, standing.id)
  ),
  rejoined as (
    update perdure.lane_token as p
       set owed = p.owed + (p.begun = 0)::integer,
           owed_at = greatest(p.owed_at, standing.locked_at),
           state = case when standing.handler is null then 'asleep'
                        when p.ordinal = 0 then 'waiting'
                        else 'aside' end,
           begun = 0, passed_at = null
      from standing
     where (p.shard, p.instance_id, p.token_id)
           = (standing.shard, standing.instance_id, standing.id)
       and standing.lanes is not null
       and p.state = 'passed'
  )
  update perdure.token as t
     set status = 'ready', version = t.version + 1,
         held_handler = case when t.lanes is null then t.held_handler
                             else coalesce(t.handler, t.held_handler) end,
         handler = case when t.lanes is null then t.handler end,
         locked_by = null, locked_at = null, locked_until = null
    from standing
   where (t.shard, t.instance_id, t.id) = (standing.shard, standing.instance_id, standing.id)`;

export const expired = `
  select t.instance_id, t.id, t.version, t.locked_by,
         coalesce(t.handler, t.held_handler) as handler, t.locked_at, t.locked_until,
         i.version as instance_version
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select *
           from perdure.token
          where shard = s.shard and status = 'executing' and locked_until < perdure.moment($2)
          order by locked_until
          limit $3) as t
    join perdure.instance as i on (i.shard, i.id) = (t.shard, t.instance_id)
   order by t.locked_until, t.instance_id, t.id
   limit $3`;

export const due = `
  select t.instance_id, t.id
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select instance_id, id, wake_at
           from perdure.token
          where shard = s.shard and status = 'waiting' and wake_at <= perdure.moment($2)
          order by wake_at
          limit $3) as t
   order by t.wake_at, t.instance_id, t.id
   limit $3`;

/**
 * Of each kind the next moment at which looking for it may find something (null: never), and
 * whether there is something to carry or to bring. Work takes the same steps from stretch to
 * stretch as in claimable; of everything else the first of each shard's index is read. Only what
 * messages cost (the last column, if it is asked for) grows with how many are kept. They are
 * counted, because most often there is none: for the first of many the server would probe one by
 * one (114 ms against 3, with 2,200 messages and 2,000 who wait; measured 2026-11).
 */
export const outlook = `
  with recursive level (shard, handler, urgency) as (
    select s.shard, f.handler, f.urgency
      from unnest($1::smallint[]) as s (shard)
     cross join lateral (
           select handler, - priority as urgency
             from perdure.token
            where shard = s.shard and status = 'ready' and handler is not null
            order by handler, - priority
            limit 1) as f
     union all
    select l.shard, f.handler, f.urgency
      from level as l
     cross join lateral (
           select handler, - priority as urgency
             from perdure.token
            where shard = l.shard and status = 'ready' and handler is not null
              and (handler, - priority) > (l.handler, l.urgency)
            order by handler, - priority
            limit 1) as f
  ),
  met (id, tenant, shard, instance_id, since) as (
    select m.id, m.tenant, s.shard, s.instance_id, s.since
      from perdure.inbox as m
      join perdure.subscription as s
        on s.shard = any ($1::smallint[]) and s.listens = 0
       and (s.type, s.key) = (m.type, m.key)
     where m.shard = any ($1::smallint[]) and m.status = 'pending'
       and m.expires_at >= perdure.moment($9) and m.instance_id is null
     union all
    select m.id, m.tenant, s.shard, s.instance_id, s.since
      from perdure.inbox as m
      join perdure.subscription as s
        on s.shard = any ($1::smallint[]) and s.listens = 0
       and s.instance_id = m.instance_id and s.type in (m.type, '$any')
     where m.shard = any ($1::smallint[]) and m.status = 'pending'
       and m.expires_at >= perdure.moment($9) and m.instance_id is not null
  ),
  wide (shard, instance_id, type, key, since) as materialized (
    select s.shard, s.instance_id, s.type, s.key, s.since
      from perdure.subscription as s
     where s.shard = any ($1::smallint[])
       and s.listens = 0 and (s.type = '$any' or s.key = '$any')
  )
  select perdure.moment(null) as now,
         (select min((select available_at
                        from perdure.token
                       where shard = l.shard and status = 'ready' and handler is not null
                         and handler = l.handler and - priority = l.urgency and crashes < 2
                       order by available_at
                       limit 1))
            from level as l
           where l.handler = any ($2::text[])) as work,
         (select min(available_at)
            from perdure.token
           where shard = any ($1::smallint[]) and status = 'ready' and crashes >= 2
             and handler = any ($2::text[])) as lone,
         (select min((select wake_at
                        from perdure.token
                       where shard = s.shard and status = 'waiting' and wake_at is not null
                       order by wake_at
                       limit 1))
            from unnest($1::smallint[]) as s (shard)) as timers,
         (select min((select locked_until
                        from perdure.token
                       where shard = s.shard and status = 'executing'
                       order by locked_until
                       limit 1)) + 1
            from unnest($1::smallint[]) as s (shard)) as leases,
         case when $5::boolean then (
           select least(min((
                    select l.available_at
                      from perdure.letter as l
                     where l.shard = s.shard and l.status = 'ready'
                       and ($6::text[] is null or l.type = any ($6::text[]))
                       and not exists (select from perdure.letter as b
                                        where (b.shard, b.instance_id) = (l.shard, l.instance_id)
                                          and b.n < l.n and b.status <> 'dead')
                       and not exists (select from perdure.letter as o
                                        where (o.shard, o.instance_id) = (l.shard, l.instance_id)
                                          and o.status = 'sending')
                     order by l.available_at
                     limit 1)), min((
                    select locked_until
                      from perdure.letter
                     where shard = s.shard and status = 'sending'
                     order by locked_until
                     limit 1)) + 1)
             from unnest($1::smallint[]) as s (shard))
         end as letters,
         (select min((select next_at
                        from perdure.schedule
                       where shard = s.shard and flow = f.flow
                         and status = 'active' and next_at is not null
                         and name <> all ($4::text[])
                       order by next_at
                       limit 1))
            from unnest($1::smallint[]) as s (shard)
           cross join unnest($3::text[]) as f (flow)) as schedules,
         (exists (select
                    from perdure.halt
                   where shard = any ($1::smallint[]))
          or exists (select
                       from unnest($1::smallint[]) as s (shard)
                      cross join lateral (
                            select
                              from perdure.instance
                             where shard = s.shard and halted is not null
                             order by id
                             limit 1) as held))::integer as halts,
         least(case when exists (select
                                   from unnest($1::smallint[]) as s (shard)
                                  cross join lateral (
                                        select
                                          from perdure.lane_news
                                         where shard = s.shard
                                         order by n
                                         limit 1) as news)
                      or exists (select
                                   from perdure.lane_token
                                  where shard = any ($1::smallint[]) and state = 'shelved'
                                    and handler = any ($2::text[]))
                    then 0 end,
               (select min((select available_at
                              from perdure.lane_token
                             where shard = s.shard and state = 'later'
                             order by available_at
                             limit 1))
                  from unnest($1::smallint[]) as s (shard)),
               (select min((select look_at
                              from perdure.lane
                             where shard = s.shard and look_at is not null
                             order by look_at
                             limit 1))
                  from unnest($1::smallint[]) as s (shard))) as lanes,
         exists (select
                   from unnest($1::smallint[]) as s (shard)
                  cross join lateral (
                        select
                          from perdure.outbox
                         where shard = s.shard and instance_id <> all ($7::text[])
                         order by n
                         limit 1) as p)::integer as posts,
         case when $8::boolean then (
           (select count(*) > 0
              from met
              join perdure.instance as i on (i.shard, i.id) = (met.shard, met.instance_id)
             where i.status <> 'suspended'
               and (met.tenant is null or met.tenant = i.tenant)
               and not exists (select from perdure.delivery as d
                                where d.shard = any ($1::smallint[]) and d.message_id = met.id
                                  and d.heard = 0
                                  and (d.at < met.since or d.instance_id = met.instance_id)))
           or exists (
             select
               from wide
              cross join lateral (
                    select i.shard, i.id, i.tenant
                      from perdure.instance as i
                     where (i.shard, i.id) = (wide.shard, wide.instance_id)
                       and i.status <> 'suspended'
                     limit 1) as lively
              cross join lateral (
                    select
                      from perdure.inbox as m
                     where m.shard = any ($1::smallint[]) and m.status = 'pending'
                       and m.expires_at >= perdure.moment($9) and m.instance_id is null
                       and wide.type in (m.type, '$any') and wide.key in (m.key, '$any')
                       and (m.tenant is null or m.tenant = lively.tenant)
                       and not exists (select from perdure.delivery as d
                                        where d.shard = any ($1::smallint[])
                                          and d.message_id = m.id and d.heard = 0
                                          and (d.at < wide.since or d.instance_id = lively.id))
                     limit 1) as met)
           or exists (
             select
               from perdure.hearers($1::smallint[]) as h
              cross join lateral perdure.next_heard(h.shard, h.instance_id, $9)))::integer
         end as messages`;

/** What has come to lanes and left them since somebody looked, oldest first. */
export const laneNews = `
  select news.*
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select shard, n, lane, version, concurrency, rate_max, rate_per_ms
           from perdure.lane_news
          where shard = s.shard
          order by n
          limit $2) as news
   order by news.n
   limit $2`;

export const dropNews = `
  delete from perdure.lane_news as news
   using unnest($1::smallint[], $2::bigint[]) as old (shard, n)
   where (news.shard, news.n) = (old.shard, old.n)`;

/**
 * All the places of tokens whose moment has come. Here and below, what a commit has locked is
 * passed over: it tells by itself once it is through,
 */
export const duePlaces = `
  with later as materialized (
    select distinct n.shard, n.instance_id, n.token_id
      from unnest($1::smallint[]) as s (shard)
     cross join lateral (
           select shard, instance_id, token_id
             from perdure.lane_token
            where shard = s.shard and state = 'later' and available_at <= perdure.moment($2)
            order by available_at
            limit $3) as n
     limit $3
  )
  select p.instance_id, p.token_id, p.lane, p.ordinal, p.lanes, p.state, p.handler, p.priority,
         p.since, p.available_at, p.begun, p.owed, p.owed_at
    from later
    join perdure.lane_token as p
      on (p.shard, p.instance_id, p.token_id) = (later.shard, later.instance_id, later.token_id)
   where p.state <> 'gone'
     for update of p skip locked`;

/** and of those that somebody has a handler for after all. */
export const servedPlaces = `
  with shelved as materialized (
    select shard, instance_id, token_id
      from perdure.lane_token
     where shard = any ($1::smallint[]) and state = 'shelved' and handler = any ($2::text[])
     limit $3
  )
  select p.instance_id, p.token_id, p.lane, p.ordinal, p.lanes, p.state, p.handler, p.priority,
         p.since, p.available_at, p.begun, p.owed, p.owed_at
    from shelved
    join perdure.lane_token as p
      on (p.shard, p.instance_id, p.token_id)
         = (shelved.shard, shelved.instance_id, shelved.token_id)
   where p.state <> 'gone'
     for update of p skip locked`;

export const dueLanes = `
  select n.name
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select name, look_at
           from perdure.lane
          where shard = s.shard and look_at <= perdure.moment($2)
          order by look_at
          limit $3) as n
   order by n.look_at
   limit $3`;

/** No row: nobody has come there. */
export const findLane = `
  select l.name, l.version, l.concurrency, l.rate_max, l.rate_per_ms, l.log, l.look_at, l.turn
    from unnest($1::smallint[], $2::text[]) as n (shard, name)
    join perdure.lane as l on (l.shard, l.name) = (n.shard, n.name)`;

export const laneFacts = `
  select n.name,
         (select count(*)
            from perdure.lane_token
           where shard = any ($1::smallint[]) and lane = n.name and state = 'passed') as at_work,
         (select count(*)
            from unnest($1::smallint[]) as s (shard)
           cross join lateral (
                 select
                   from perdure.lane_token
                  where shard = s.shard and lane = n.name and state = 'waiting'
                  order by - priority
                  limit 1) as w) as waiting
    from unnest($2::text[]) as n (name)`;

/** Shares in which somebody waits: those after the one that had the last turn, and the others. */
export const sharesIn = `
  select q.name as lane, r.name
    from unnest($2::smallint[], $3::text[]) as q (shard, name)
    left join perdure.lane as l on (l.shard, l.name) = (q.shard, q.name)
   cross join lateral (
         values (coalesce(l.turn, q.name), q.name || ' '),
                (q.name, coalesce(l.turn, q.name))) as part (after, up_to)
   cross join lateral (
         select w.name
           from unnest($1::smallint[]) as s (shard)
          cross join lateral (
                select a.name
                  from perdure.lane as a
                 where a.shard = s.shard and a.name > part.after and a.name <= part.up_to
                   and exists (select
                                 from perdure.lane_token as p
                                where p.shard = any ($1::smallint[]) and p.lane = a.name
                                  and p.state = 'waiting')
                 order by a.name
                 limit $4) as w
          order by w.name
          limit $4) as r`;

/** Those that were let through and had not begun, with what has become of them. */
export const standingIn = `
  select p.instance_id, p.token_id, p.lane, p.ordinal, p.lanes, p.state, p.handler, p.priority,
         p.since, p.available_at, p.begun, p.owed, p.owed_at, t.status, t.locked_at
    from perdure.lane_token as p
    left join perdure.token as t
      on (t.shard, t.instance_id, t.id) = (p.shard, p.instance_id, p.token_id)
     and (t.status = 'executing' or t.status = 'ready' and t.handler is not null)
   where p.shard = any ($1::smallint[]) and p.lane = any ($2::text[])
     and p.state = 'passed' and p.begun = 0`;

/** Those that have begun, and nobody has counted that. */
export const owingIn = `
  select p.instance_id, p.token_id, p.lane, p.ordinal, p.lanes, p.state, p.handler, p.priority,
         p.since, p.available_at, p.begun, p.owed, p.owed_at
    from perdure.lane_token as p
   where p.shard = any ($1::smallint[]) and p.lane = any ($2::text[]) and p.owed > 0`;

/**
 * The first who wait in each lane after one of them, with all the places each has. Of some lanes as
 * many more are looked at in each shard, and who needs a handler of $9 is left out. One whose
 * places are all locked has a row without any.
 */
export const queueOf = `
  with next as materialized (
    select n.*
      from unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[])
           as q (lane, priority, since, instance_id, token_id, more)
     cross join lateral (
           select w.*
             from unnest($1::smallint[]) as s (shard)
            cross join lateral (
                  select q.lane as queue, looked.*
                    from (select shard, instance_id, token_id, priority, since, handler
                            from perdure.lane_token
                           where shard = s.shard and lane = q.lane and state = 'waiting'
                             and (- priority, since, instance_id, token_id)
                                 > (- q.priority, q.since, q.instance_id, q.token_id)
                           order by - priority, since, instance_id, token_id
                           limit $8::bigint + q.more) as looked
                   where q.more = 0 or looked.handler <> all ($9::text[])
                   order by - looked.priority, looked.since, looked.instance_id, looked.token_id
                   limit $8::bigint) as w
            order by - w.priority, w.since, w.instance_id, w.token_id
            limit $8::bigint) as n
  )
  select next.queue, next.instance_id, next.token_id, next.priority, next.since, own.lane,
         own.ordinal, own.lanes, own.state, own.handler, own.available_at, own.begun, own.owed,
         own.owed_at,
         exists (select
                   from perdure.token as t
                  where (t.shard, t.instance_id, t.id)
                        = (next.shard, next.instance_id, next.token_id)
                    and t.status = 'ready'
                    and t.handler is null
                    and t.held_handler is not null)::integer as is_held
    from next
    left join lateral (
         select p.lane, p.ordinal, p.lanes, p.state, p.handler, p.available_at, p.begun, p.owed,
                p.owed_at
           from perdure.lane_token as p
          where (p.shard, p.instance_id, p.token_id)
                = (next.shard, next.instance_id, next.token_id)
            and p.state <> 'gone'
            for update skip locked) as own on true`;

/** Let through before that moment, and claimed by nobody: all the places of each. */
export const unservedIn = `
  with idle as materialized (
    select distinct i.shard, i.instance_id, i.token_id
      from perdure.lane_token as i
      join perdure.token as t
        on (t.shard, t.instance_id, t.id) = (i.shard, i.instance_id, i.token_id)
     where i.shard = any ($1::smallint[]) and i.lane = any ($2::text[]) and i.state = 'passed'
       and i.passed_at <= $3
       and t.status = 'ready'
       and t.handler is not null
     limit $4
  )
  select p.instance_id, p.token_id, p.lane, p.ordinal, p.lanes, p.state, p.handler, p.priority,
         p.since, p.available_at, p.begun, p.owed, p.owed_at
    from idle
    join perdure.lane_token as p
      on (p.shard, p.instance_id, p.token_id) = (idle.shard, idle.instance_id, idle.token_id)
   where p.state <> 'gone'
     for update of p skip locked`;

/**
 * From now on they can be claimed. Those of tenants have one priority, and stand where they are
 * put: how urgent one is for its tenant is no reason to others. No row: it is not held.
 */
export const letToken = `
  with standing as materialized (
    select t.*
      from unnest($1::smallint[], $2::text[], $3::bigint[], $4::bigint[])
           as held (shard, instance_id, id, since)
     cross join lateral (
           select shard, instance_id, id, held.since
             from perdure.token
            where (shard, instance_id, id) = (held.shard, held.instance_id, held.id)
              and status = 'ready'
              and handler is null
              and held_handler is not null
              for no key update skip locked) as t
  )
  update perdure.token as t
     set handler = t.held_handler, held_handler = null,
         due_at = case when standing.since is null then t.due_at
                       else coalesce(t.due_at, t.available_at) end,
         available_at = coalesce(standing.since, t.available_at),
         own_priority = case when standing.since is null then t.own_priority
                             else coalesce(t.own_priority, t.priority) end,
         priority = case when standing.since is null then t.priority else 0 end
    from standing
   where (t.shard, t.instance_id, t.id) = (standing.shard, standing.instance_id, standing.id)
  returning t.instance_id, t.id as token_id`;

/** They cannot any more. No row: somebody has it. */
export const shelveToken = `
  with standing as materialized (
    select t.*
      from unnest($1::smallint[], $2::text[], $3::bigint[]) as held (shard, instance_id, id)
     cross join lateral (
           select shard, instance_id, id
             from perdure.token
            where (shard, instance_id, id) = (held.shard, held.instance_id, held.id)
              and status = 'ready'
              and handler is not null
              for no key update skip locked) as t
  )
  update perdure.token as t
     set held_handler = t.handler, handler = null
    from standing
   where (t.shard, t.instance_id, t.id) = (standing.shard, standing.instance_id, standing.id)
  returning t.instance_id, t.id as token_id`;

/** Those that are locked already by whoever looks. */
export const movePlace = `
  update perdure.lane_token as p
     set state = m.state, begun = m.begun,
         passed_at = case m.state when 'passed' then coalesce(p.passed_at, m.now) end
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::smallint[], $5::text[],
                $6::smallint[], $7::bigint[])
         as m (shard, instance_id, token_id, ordinal, state, begun, now)
   where (p.shard, p.instance_id, p.token_id, p.ordinal)
         = (m.shard, m.instance_id, m.token_id, m.ordinal)`;

export const dropPlace = `
  delete from perdure.lane_token as p
   using unnest($1::smallint[], $2::text[], $3::bigint[], $4::smallint[])
         as d (shard, instance_id, token_id, ordinal)
   where (p.shard, p.instance_id, p.token_id, p.ordinal)
         = (d.shard, d.instance_id, d.token_id, d.ordinal)`;

/** Those that a commit writes just now are left to it. */
export const beginPlace = `
  with standing as materialized (
    select p.*
      from unnest($1::smallint[], $2::text[], $3::bigint[], $4::smallint[])
           as b (shard, instance_id, token_id, ordinal)
     cross join lateral (
           select shard, ctid as place
             from perdure.lane_token
            where (shard, instance_id, token_id, ordinal)
                  = (b.shard, b.instance_id, b.token_id, b.ordinal)
              and (state, begun) = ('passed', 0)
              for no key update skip locked) as p
  )
  update perdure.lane_token as p
     set begun = 1
    from standing as s
   where (p.shard, p.ctid) = (s.shard, s.place)
  returning p.instance_id, p.token_id, p.ordinal`;

/** It was counted. */
export const settlePlace = `
  with standing as materialized (
    select p.*
      from unnest($1::smallint[], $2::text[], $3::bigint[], $4::smallint[])
           as b (shard, instance_id, token_id, ordinal)
     cross join lateral (
           select shard, ctid as place
             from perdure.lane_token
            where (shard, instance_id, token_id, ordinal)
                  = (b.shard, b.instance_id, b.token_id, b.ordinal)
              and owed > 0
              for no key update skip locked) as p
  )
  update perdure.lane_token as p
     set owed = 0, owed_at = null
    from standing as s
   where (p.shard, p.ctid) = (s.shard, s.place)
  returning p.instance_id, p.token_id, p.ordinal`;

export const endPlace = `
  with standing as materialized (
    select p.*
      from unnest($1::smallint[], $2::text[], $3::bigint[], $4::smallint[])
           as b (shard, instance_id, token_id, ordinal)
     cross join lateral (
           select shard, ctid as place
             from perdure.lane_token
            where (shard, instance_id, token_id, ordinal)
                  = (b.shard, b.instance_id, b.token_id, b.ordinal)
              and state = 'passed'
              for update skip locked) as p
  )
  delete from perdure.lane_token as p
   using standing as s
   where (p.shard, p.ctid) = (s.shard, s.place)`;

export const shelveWaiting = `
  with idle as materialized (
    select w.*
      from unnest($1::smallint[]) as s (shard)
     cross join lateral (
           select shard, ctid as place
             from perdure.lane_token
            where shard = s.shard and lane = $2 and state = 'waiting' and handler = $3
            order by - priority, since, instance_id, token_id
            limit $4
              for no key update skip locked) as w
     limit $4
  )
  update perdure.lane_token as p
     set state = 'shelved'
    from idle as i
   where (p.shard, p.ctid) = (i.shard, i.place)`;

export const dropGone = `
  with gone as materialized (
    select shard, ctid as place
      from perdure.lane_token
     where shard = any ($1::smallint[]) and lane = any ($2::text[]) and state = 'gone' and owed = 0
       for update skip locked
  )
  delete from perdure.lane_token as p
   using gone as g
   where (p.shard, p.ctid) = (g.shard, g.place)`;

export const putLane = `
  insert into perdure.lane (shard, name, version, concurrency, rate_max, rate_per_ms, log, look_at,
         turn)
  select *
    from unnest($1::smallint[], $2::text[], $3::integer[], $4::bigint[], $5::bigint[],
                $6::bigint[], $7::text[], $8::bigint[], $9::text[])
      on conflict (shard, name) do update
     set version = excluded.version, concurrency = excluded.concurrency,
         rate_max = excluded.rate_max, rate_per_ms = excluded.rate_per_ms, log = excluded.log,
         look_at = excluded.look_at, turn = excluded.turn`;

/** Nobody is in it, and nothing of it counts any more. */
export const dropIdleLane = `
  delete from perdure.lane as l
   using unnest($2::smallint[], $3::text[]) as idle (shard, name)
   where (l.shard, l.name) = (idle.shard, idle.name)
     and l.look_at is null
     and not exists (select
                       from perdure.lane_token as p
                      where p.shard = any ($1::smallint[]) and p.lane = idle.name)`;

/** Those who wait in its shares wait in the lane. */
export const lanesAfter = `
  select n.name, n.concurrency, n.rate_max, n.rate_per_ms,
         (select count(*)
            from perdure.lane_token
           where shard = any ($1::smallint[]) and lane = n.name and state = 'passed') as at_work,
         (select count(*)
            from perdure.lane_token
           where shard = any ($1::smallint[]) and lane = n.name and state = 'waiting')
         + (select count(*)
              from perdure.lane_token
             where shard = any ($1::smallint[]) and lane >= n.name || chr(31)
               and lane < n.name || ' ' and state = 'waiting') as waiting
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select *
           from perdure.lane
          where shard = s.shard and name > $2 and strpos(name, chr(31)) = 0
          order by name
          limit $3) as n
   order by n.name
   limit $3`;

/** Those of an instance that wait, and how many are before them. */
export const heldIn = `
  select p.token_id, p.lane,
         (select count(*)
            from perdure.lane_token
           where shard = any ($1::smallint[]) and lane = p.lane and state = 'waiting'
             and (- priority, since, instance_id, token_id)
                 < (- p.priority, p.since, p.instance_id, p.token_id)) as ahead
    from perdure.lane_token as p
   where p.shard = $2 and p.instance_id = $3
     and p.state in ('waiting', 'later', 'shelved')
   order by p.token_id, p.ordinal`;

/** No row: the id is known. Where someone listens, it is to be heard. */
export const publish = `
  with kept as (
    insert into perdure.inbox (shard, id, type, key, instance_id, data, tenant, trace, status,
           published_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', perdure.moment($9),
           perdure.moment($9) + $10::bigint)
        on conflict (shard, id) do nothing
    returning shard, id, n, type, key, instance_id, tenant
  ),
  told as (
    insert into perdure.unheard (shard, instance_id, n, message_shard, message_id)
    select distinct s.shard, s.instance_id, kept.n, kept.shard, kept.id
      from kept
     cross join lateral (values (kept.type, kept.key), (kept.type, '$any'), ('$any', kept.key),
           ('$any', '$any')) as topic (type, key)
      join perdure.subscription as s
        on s.shard = any ($11::smallint[]) and s.listens > 0
       and (s.type, s.key) = (topic.type, topic.key)
     where kept.instance_id is null
       and (kept.tenant is null
            or kept.tenant = (select i.tenant from perdure.instance as i
                               where (i.shard, i.id) = (s.shard, s.instance_id)))
     union
    select s.shard, s.instance_id, kept.n, kept.shard, kept.id
      from kept
      join perdure.subscription as s
        on s.shard = any ($11::smallint[]) and s.instance_id = kept.instance_id
       and s.listens > 0 and s.type in (kept.type, '$any')
     where kept.tenant is null
        or kept.tenant = (select i.tenant from perdure.instance as i
                           where (i.shard, i.id) = (s.shard, s.instance_id))
  )
  select id from kept`;

export const knows = `
  select 1 as is_known
    from perdure.inbox
   where (shard, id) = ($1, $2)`;

/**
 * Messages that somebody waits for who may have them, or that come next where somebody listens,
 * oldest first, with one token of each instance that does.
 */
export const awaited = `
  with met (shard, id, n, tenant, home, instance_id, token_id, since) as (
    select m.shard, m.id, m.n, m.tenant, s.shard, s.instance_id, s.token_id, s.since
      from perdure.inbox as m
      join perdure.subscription as s
        on s.shard = any ($1::smallint[]) and s.listens = 0
       and (s.type, s.key) = (m.type, m.key)
     where m.shard = any ($1::smallint[])
       and m.status = 'pending'
       and m.expires_at >= perdure.moment($2)
       and m.instance_id is null
     union all
    select m.shard, m.id, m.n, m.tenant, s.shard, s.instance_id, s.token_id, s.since
      from perdure.inbox as m
      join perdure.subscription as s
        on s.shard = any ($1::smallint[]) and s.listens = 0
       and s.instance_id = m.instance_id and s.type in (m.type, '$any')
     where m.shard = any ($1::smallint[])
       and m.status = 'pending'
       and m.expires_at >= perdure.moment($2)
       and m.instance_id is not null
  ),
  told (shard, id, n, instance_id, token_id, published) as (
    select met.shard, met.id, met.n, met.instance_id, met.token_id, null::bigint
      from met
      join perdure.instance as i on (i.shard, i.id) = (met.home, met.instance_id)
     where i.status <> 'suspended'
       and (met.tenant is null or met.tenant = i.tenant)
       and not exists (select from perdure.delivery as d
                        where (d.shard, d.message_id, d.instance_id, d.heard)
                              = (met.home, met.id, met.instance_id, 0))
       and not exists (select from perdure.delivery as d
                        where d.shard = any ($1::smallint[]) and d.message_id = met.id
                          and d.heard = 0 and d.at < met.since)
     union all
    select wide.shard, wide.id, wide.n, s.instance_id, s.token_id, null::bigint
      from perdure.subscription as s
     cross join lateral (
           select i.shard, i.id, i.tenant
             from perdure.instance as i
            where (i.shard, i.id) = (s.shard, s.instance_id)
              and i.status <> 'suspended'
            limit 1) as lively
     cross join lateral (
           select m.shard, m.id, m.n
             from perdure.inbox as m
            where m.shard = any ($1::smallint[])
              and m.status = 'pending'
              and m.expires_at >= perdure.moment($2)
              and m.instance_id is null
              and s.type in (m.type, '$any') and s.key in (m.key, '$any')
              and (m.tenant is null or m.tenant = lively.tenant)
              and not exists (select from perdure.delivery as d
                               where d.shard = any ($1::smallint[]) and d.message_id = m.id
                                 and d.heard = 0
                                 and (d.at < s.since or d.instance_id = lively.id))
            order by m.n
            limit $3) as wide
     where s.shard = any ($1::smallint[])
       and s.listens = 0 and (s.type = '$any' or s.key = '$any')
     union all
    select head.shard, head.id, head.n, h.instance_id, head.token_id, head.published_at
      from perdure.hearers($1::smallint[]) as h
     cross join lateral perdure.next_heard(h.shard, h.instance_id, $2) as head
  ),
  first as (
    select told.shard, told.id, told.n, told.instance_id,
           coalesce(min(told.token_id) filter (where told.published is null), min(told.token_id))
           as token_id,
           max(told.published) as published
      from told
     group by told.shard, told.id, told.n, told.instance_id
     order by told.n, told.instance_id
     limit $3
  )
  select m.id, m.type, m.key, m.target, m.tenant, m.trace, m.data, first.instance_id,
         first.token_id, first.published
    from first
   cross join lateral (
         select m.id, m.type, m.key, m.instance_id as target, m.tenant, m.trace, m.data
           from perdure.inbox as m
          where (m.shard, m.id) = (first.shard, first.id)
          limit 1) as m
   order by first.n, first.instance_id`;

/**
 * One token of each instance: an instance has a message once, however many of its tokens wait, and
 * once for all that listen, whose row says when it was published. When somebody first had it is
 * asked once, and not for each who waits.
 */
export const deliverable = `
  with message as materialized (
    select m.id, m.n, m.type, m.key, m.instance_id as target, m.tenant, m.trace, m.data, m.status,
           m.published_at,
           (select min(d.at) from perdure.delivery as d
             where d.shard = any ($1::smallint[]) and d.message_id = $3 and d.heard = 0) as first_at
      from perdure.inbox as m
     where (m.shard, m.id) = ($2, $3)
       and m.expires_at >= perdure.moment($4)
  ),
  waits as (
    select met.shard, met.instance_id, met.token_id, null::bigint as published
      from message
     cross join lateral (
           select s.shard, s.instance_id, min(s.token_id) as token_id
             from (values (message.type, message.key), (message.type, '$any'),
                  ('$any', message.key), ('$any', '$any')) as topic (type, key)
             join perdure.subscription as s
               on s.shard = any ($1::smallint[]) and s.listens = 0
              and (s.type, s.key) = (topic.type, topic.key)
            where message.target is null
              and s.since <= coalesce(message.first_at, s.since)
            group by s.shard, s.instance_id
            union all
           select s.shard, s.instance_id, min(s.token_id) as token_id
             from perdure.subscription as s
            where s.shard = any ($1::smallint[]) and s.listens = 0
              and s.instance_id = message.target and s.type in (message.type, '$any')
              and s.since <= coalesce(message.first_at, s.since)
            group by s.shard, s.instance_id) as met
     where message.status = 'pending'
       and not exists (select from perdure.delivery as d
                        where (d.shard, d.message_id, d.instance_id, d.heard)
                              = (met.shard, $3, met.instance_id, 0))
  ),
  listens as (
    select u.shard, u.instance_id, head.token_id, message.published_at as published
      from message
      join perdure.unheard as u on u.shard = any ($1::smallint[]) and u.message_id = $3
     cross join lateral perdure.next_heard(u.shard, u.instance_id, $4) as head
     where head.n = u.n
  ),
  told as (
    select e.shard, e.instance_id,
           coalesce(min(e.token_id) filter (where e.published is null), min(e.token_id))
           as token_id,
           max(e.published) as published
      from (select * from waits union all select * from listens) as e
     group by e.shard, e.instance_id
  )
  select message.id, message.type, message.key, message.target, message.tenant, message.trace,
         message.data, told.instance_id, told.token_id, told.published
    from message
   cross join told
   where not exists (select from perdure.instance as i
                      where (i.shard, i.id) = (told.shard, told.instance_id)
                        and (i.status = 'suspended'
                             or message.tenant is not null
                                and message.tenant is distinct from i.tenant))
   order by told.instance_id
   limit $5`;

/** What these tokens wait for and is there: of each instance the oldest that it may have. */
export const deliverableTo = `
  with asked as materialized (
    select s.shard, s.instance_id, s.token_id, s.type, s.key, s.since, s.listens
      from unnest($2::smallint[], $3::text[], $4::bigint[]) as w (shard, instance_id, token_id)
      join perdure.subscription as s
        on (s.shard, s.instance_id, s.token_id) = (w.shard, w.instance_id, w.token_id)
  ),
  met (shard, id, home, instance_id, token_id, since) as (
    select m.shard, m.id, a.shard, a.instance_id, a.token_id, a.since
      from asked as a
      join perdure.inbox as m
        on m.shard = any ($1::smallint[]) and m.status = 'pending'
       and (m.type, m.key) = (a.type, a.key) and m.instance_id is null
     where a.listens = 0
     union all
    select m.shard, m.id, a.shard, a.instance_id, a.token_id, a.since
      from asked as a
      join perdure.inbox as m
        on m.shard = any ($1::smallint[]) and m.status = 'pending'
       and (m.type, m.key, m.instance_id) = (a.type, '', a.instance_id)
     where a.listens = 0
     union all
    select m.shard, m.id, a.shard, a.instance_id, a.token_id, a.since
      from asked as a
     cross join lateral (
           select m.shard, m.id
             from perdure.inbox as m
            where m.shard = any ($1::smallint[]) and m.status = 'pending'
              and m.expires_at >= perdure.moment($5)
              and a.type in (m.type, '$any')
              and (a.key in (m.key, '$any') and m.instance_id is null
                   or m.instance_id = a.instance_id)) as m
     where a.listens = 0 and '$any' in (a.type, a.key)
  ),
  told (shard, id, home, instance_id, token_id, published) as (
    select met.shard, met.id, met.home, met.instance_id, met.token_id, null::bigint
      from met
     where not exists (select from perdure.delivery as d
                        where d.shard = any ($1::smallint[]) and d.message_id = met.id
                          and d.heard = 0
                          and (d.at < met.since or d.instance_id = met.instance_id))
     union all
    select head.shard, head.id, hearer.shard, hearer.instance_id, hearer.token_id,
           head.published_at
      from (select a.shard, a.instance_id, min(a.token_id) as token_id
              from asked as a
             where a.listens = 1
             group by a.shard, a.instance_id) as hearer
     cross join lateral perdure.next_heard(hearer.shard, hearer.instance_id, $5) as head
  ),
  offered as (
    select told.shard, told.id, told.instance_id,
           coalesce(min(told.token_id) filter (where told.published is null), min(told.token_id))
           as token_id,
           max(told.published) as published, i.tenant
      from told
      join perdure.instance as i on (i.shard, i.id) = (told.home, told.instance_id)
     where i.status <> 'suspended'
     group by told.shard, told.id, told.instance_id, i.tenant
  )
  select distinct on (offered.instance_id)
         m.id, m.type, m.key, m.instance_id as target, m.tenant, m.trace, m.data,
         offered.instance_id, offered.token_id, offered.published
    from offered
    join perdure.inbox as m on (m.shard, m.id) = (offered.shard, offered.id)
   where m.expires_at >= perdure.moment($5)
     and (m.tenant is null or m.tenant = offered.tenant)
   order by offered.instance_id, m.n`;

/**
 * Those that some instance had. They are used up if one who waited had them, unless one who waits
 * may still have them; what another process is just marking is left to it.
 */
export const consume = `
  with had as materialized (
    select m.shard, m.id
      from unnest($2::smallint[], $3::text[]) as asked (shard, id)
      join perdure.inbox as m on (m.shard, m.id) = (asked.shard, asked.id)
     where exists (select from perdure.delivery as d
                    where d.shard = any ($1::smallint[]) and d.message_id = m.id)
  ),
  used as materialized (
    select u.shard, u.id
      from had
      join perdure.inbox as u on (u.shard, u.id) = (had.shard, had.id)
     where u.status = 'pending'
       and exists (select from perdure.delivery as d
                    where d.shard = any ($1::smallint[]) and d.message_id = u.id and d.heard = 0)
       and (u.instance_id is not null
            or not exists (select
                             from (values (u.type, u.key), (u.type, '$any'), ('$any', u.key),
                                  ('$any', '$any')) as topic (type, key)
                             join perdure.subscription as s
                               on s.shard = any ($1::smallint[]) and s.listens = 0
                              and (s.type, s.key) = (topic.type, topic.key)
                            where (u.tenant is null
                                   or u.tenant = (select i.tenant from perdure.instance as i
                                                   where (i.shard, i.id)
                                                         = (s.shard, s.instance_id)))
                              and not exists (select from perdure.delivery as d
                                               where d.shard = any ($1::smallint[])
                                                 and d.message_id = u.id
                                                 and d.heard = 0
                                                 and (d.at < s.since
                                                      or d.instance_id = s.instance_id))))
     order by u.shard, u.id
       for no key update of u skip locked
  ),
  marked as (
    update perdure.inbox as m
       set status = 'consumed'
      from used
     where (m.shard, m.id) = (used.shard, used.id)
  )
  select id from had`;

/** Newest first. What may be asked for and is not is null. */
export const pending = `
  select m.n, m.id, m.type, m.key, m.instance_id as target, m.tenant, m.trace, m.data,
         m.published_at, m.expires_at
    from perdure.inbox as m
   where m.shard = any ($1::smallint[])
     and m.status = 'pending'
     and m.expires_at >= perdure.moment($2)
     and m.n < $3
     and m.type = coalesce($4, m.type)
     and m.key = coalesce($5, m.key)
     and m.instance_id is not distinct from coalesce($6, m.instance_id)
     and m.tenant is not distinct from coalesce($7, m.tenant)
     and not exists (select from perdure.delivery as d
                      where d.shard = any ($1::smallint[]) and d.message_id = m.id)
   order by m.n desc
   limit $8`;

/** The same id is the same post, and on its way already. */
export const putPost = `
  insert into perdure.outbox (shard, id, instance_id, body)
  select * from unnest($1::smallint[], $2::text[], $3::text[], $4::text[])
      on conflict (shard, id) do nothing`;

/** A queue, read from its front; only what the instances left out have in it is passed over. */
export const posts = `
  select p.id, p.instance_id, p.body
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select *
           from perdure.outbox
          where shard = s.shard and instance_id <> all ($3::text[])
          order by n
          limit $2) as p
   order by p.n
   limit $2`;

/** No row: it was carried before. */
export const carried = `
  delete from perdure.outbox where shard = any ($1::smallint[]) and id = any ($2::text[])`;

/** The same id is the same letter, and on its way already. */
export const putLetter = `
  insert into perdure.letter (shard, id, instance_id, flow, type, key, data, trace, status,
         attempts, available_at, created_at, updated_at, version)
  select n.shard, n.id, n.instance_id, n.flow, n.type, n.key, n.data, n.trace, 'ready', 0, n.at,
         n.at, n.at, 0
    from unnest($1::smallint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
         $7::text[], $8::text[], $9::bigint[])
         as n (shard, id, instance_id, flow, type, key, data, trace, at)
      on conflict (shard, id) do nothing`;

/**
 * Only the first of its instance that is not dead, and none while another is on its way. More are
 * looked at ($5) than are taken ($4): what another process has locked is passed over.
 */
export const claimLetters = `
  with candidate as materialized (
    select c.*
      from unnest($1::smallint[]) as s (shard)
     cross join lateral (
           select l.shard, l.id, l.version, l.available_at, l.n
             from perdure.letter as l
            where l.shard = s.shard and l.status = 'ready'
              and l.available_at <= perdure.moment($2)
              and ($3::text[] is null or l.type = any ($3::text[]))
              and not exists (select from perdure.letter as b
                               where (b.shard, b.instance_id) = (l.shard, l.instance_id)
                                 and b.n < l.n and b.status <> 'dead')
              and not exists (select from perdure.letter as o
                               where (o.shard, o.instance_id) = (l.shard, l.instance_id)
                                 and o.status = 'sending')
            order by l.available_at, l.n
            limit $5) as c
     order by c.available_at, c.n
     limit $5
  ),
  taken as materialized (
    select t.*
      from candidate as c
     cross join lateral (
           select shard, id
             from perdure.letter
            where (shard, id) = (c.shard, c.id)
              and (status, version) = ('ready', c.version)
              for no key update skip locked) as t
     limit $4
  )
  update perdure.letter as l
     set status = 'sending', version = l.version + 1, updated_at = perdure.moment($2),
         locked_by = $6, locked_until = perdure.moment($2) + $7::bigint
    from taken
   where (l.shard, l.id) = (taken.shard, taken.id)
  returning l.n, l.id, l.instance_id, l.flow, l.type, l.key, l.data, l.trace, l.attempts,
         l.available_at, l.created_at, l.version, l.locked_by`;

/** No row: the claim was lost, or is over. */
export const sentLetters = `
  delete from perdure.letter as l
   using unnest($1::smallint[], $2::text[], $3::text[], $4::bigint[])
         as held (shard, id, worker, version)
   where (l.shard, l.id) = (held.shard, held.id)
     and (l.status, l.locked_by, l.version) = ('sending', held.worker, held.version)
     and l.locked_until >= perdure.moment($5)`;

/**
 * Without a pause it is dead. What is behind one that is tried again later is not looked at before
 * that, either. No row: the claim was lost, or is over where it should hold.
 */
export const failedLetters = `
  with failure as materialized (
    update perdure.letter as l
       set status = case when f.after_ms is null then 'dead' else 'ready' end,
           attempts = l.attempts + 1,
           available_at = perdure.moment($8) + coalesce(f.after_ms, 0), last_error = f.error,
           updated_at = perdure.moment($8), version = l.version + 1, locked_by = null,
           locked_until = null
      from unnest($1::smallint[], $2::text[], $3::text[], $4::bigint[], $5::smallint[],
           $6::text[], $7::bigint[]) as f (shard, id, worker, version, expired, error, after_ms)
     where (l.shard, l.id) = (f.shard, f.id)
       and (l.status, l.locked_by, l.version) = ('sending', f.worker, f.version)
       and (l.locked_until < perdure.moment($8)) = (f.expired = 1)
    returning l.shard, l.instance_id, l.n, l.status, l.available_at
  )
  update perdure.letter as l
     set available_at = greatest(l.available_at, f.available_at)
    from failure as f
   where (l.shard, l.instance_id) = (f.shard, f.instance_id)
     and l.n > f.n
     and l.status <> 'dead'
     and (l.status, f.status) = ('ready', 'ready')`;

/** No row: the claim was lost, or is over. */
export const releaseLetters = `
  update perdure.letter as l
     set status = 'ready', version = l.version + 1, updated_at = perdure.moment($5),
         locked_by = null, locked_until = null
    from unnest($1::smallint[], $2::text[], $3::text[], $4::bigint[])
         as held (shard, id, worker, version)
   where (l.shard, l.id) = (held.shard, held.id)
     and (l.status, l.locked_by, l.version) = ('sending', held.worker, held.version)
     and l.locked_until >= perdure.moment($5)`;

export const expiredLetters = `
  select l.id, l.instance_id, l.version, l.locked_by, l.attempts
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select *
           from perdure.letter
          where shard = s.shard and status = 'sending' and locked_until < perdure.moment($2)
          order by locked_until
          limit $3) as l
   order by l.locked_until, l.n
   limit $3`;

/** For people: whatever is asked for, in the order of writing. */
export const letters = `
  select l.*
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select n, id, instance_id, flow, type, key, data, status, attempts, available_at,
                last_error, created_at, updated_at
           from perdure.letter
          where shard = s.shard and n > $2
            and ($3::text is null or status = $3)
            and ($4::text is null or type = $4)
            and ($5::text is null or instance_id = $5)
          order by n
          limit $6) as l
   order by l.n
   limit $6`;

/** No row: it was not dead. */
export const requeueLetters = `
  update perdure.letter
     set status = 'ready', attempts = 0, available_at = perdure.moment($3),
         updated_at = perdure.moment($3), version = version + 1
   where shard = any ($1::smallint[]) and id = any ($2::text[]) and status = 'dead'
  returning n, id`;

export const putDropped = `
  insert into perdure.dropped (shard, instance_id, token_id, version, worker, reason, at)
  values ($1, $2, $3, $4, $5, $6, $7)`;

export const droppedNotes = `
  select instance_id, token_id, version, worker, reason, at
    from perdure.dropped
   where (shard, instance_id) = ($1, $2)
   order by n`;

export const historyAfter = `
  select n, commit_id, at, changes
    from perdure.history
   where (shard, instance_id) = ($1, $2)
     and n > $3
   order by n
   limit $4`;

/** No row: the instance is younger than its first snapshot. */
export const snapshotAt = `
  select body
    from perdure.snapshot
   where (shard, instance_id) = ($1, $2)
     and n <= $3
   order by n desc
   limit 1`;

export const scan = `
  select i.id
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select id
           from perdure.instance
          where shard = s.shard and id > $2
          order by id
          limit $3) as i
   order by i.id
   limit $3`;

/**
 * Ids before this one, newest first, of each shard so many; those below are the same for one
 * stretch of an index each.
 */
export const walkAll = `
  select i.id
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select id from perdure.instance where shard = s.shard and id < $2
          order by id desc limit $3) as i
   order by i.id desc`;

export const walkFlow = `
  select i.id
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select id from perdure.instance where shard = s.shard and flow = $4 and id < $2
          order by id desc limit $3) as i
   order by i.id desc`;

export const walkTenant = `
  select i.id
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select id from perdure.instance where shard = s.shard and tenant = $4 and id < $2
          order by id desc limit $3) as i
   order by i.id desc`;

export const walkKey = `
  select i.id
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select id from perdure.instance where shard = s.shard and key = $4 and id < $2
          order by id desc limit $3) as i
   order by i.id desc`;

export const walkParent = `
  select i.id
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select id
           from perdure.instance
          where shard = s.shard and parent_instance_id = $4 and id < $2
          order by id desc
          limit $3) as i
   order by i.id desc`;

export const walkFaulty = `
  select i.id
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select id from perdure.instance where shard = s.shard and fault is not null and id < $2
          order by id desc limit $3) as i
   order by i.id desc`;

/** Those with a fault, and those of which a token waits after something failed. */
export const walkTroubled = `
  select i.id
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         (select id from perdure.instance where shard = s.shard and fault is not null and id < $2
           order by id desc limit $3)
          union
         (select distinct instance_id
            from perdure.token
           where shard = s.shard
             and status = 'waiting'
             and last_error is not null
             and instance_id < $2
           order by instance_id desc
           limit $3)
          order by id desc
          limit $3) as i
   order by i.id desc`;

export const walkStalled = `
  select i.id
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select id from perdure.instance where shard = s.shard and stalled is not null and id < $2
          order by id desc limit $3) as i
   order by i.id desc`;

/**
 * Every open instance has a token, and of those that are over only chains have: from token to token
 * of another instance, no more than a page of the table is read for each.
 */
export const walkOpen = `
  with recursive level (shard, id, nth) as (
    select s.shard, f.id, 1
      from unnest($1::smallint[]) as s (shard)
     cross join lateral (
           select instance_id as id
             from perdure.token
            where shard = s.shard and instance_id < $2
            order by instance_id desc
            limit 1) as f
     union all
    select l.shard, f.id, l.nth + 1
      from level as l
     cross join lateral (
           select instance_id as id
             from perdure.token
            where shard = l.shard and instance_id < l.id
            order by instance_id desc
            limit 1) as f
     where l.nth < $3
  )
  select id from level order by id desc`;

export const walkTag = `
  select g.id
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select instance_id as id
           from perdure.tag
          where shard = s.shard and (name, type, value) = ($4, $5, $6) and instance_id < $2
          order by instance_id desc
          limit $3) as g
   order by g.id desc`;

/** The whole range is sorted: it is a short one. */
export const walkRange = `
  select instance_id as id
    from perdure.tag
   where shard = any ($1::smallint[])
     and name = $4
     and number is not null
     and number >= coalesce($5::double precision, '-infinity')
     and number <= coalesce($6::double precision, 'infinity')
     and instance_id < $2
   order by instance_id desc
   limit $3`;

/** No row: the range holds no more than so many. */
export const rangeBeyond = `
  select instance_id as id
    from perdure.tag
   where shard = any ($1::smallint[])
     and name = $2
     and number is not null
     and number >= coalesce($3::double precision, '-infinity')
     and number <= coalesce($4::double precision, 'infinity')
   limit 1 offset $5`;

/**
 * Of these instances those that are as asked for. What may be asked for and is not is null.
 *
 * Each is read by its key, and nothing else may be tried (`offset 0`): while the server has not
 * counted what came lately, it would go through a whole flow for a page of it (1,033 ms against 40,
 * with 10,000 instances; measured 2026-11).
 */
export const matching = `
  select i.id, i.flow, i.flow_version, i.key, i.tenant, i.priority, i.fault, i.stalled, i.outcome,
         i.parent_instance_id, i.parent_token_id, i.created_at, i.updated_at, i.ended_at, seen.shown
    from unnest($1::smallint[], $2::text[]) as walked (shard, id)
   cross join lateral (
         select shard, id, flow, flow_version, key, tenant, priority, status, fault, stalled,
                outcome, parent_instance_id, parent_token_id, created_at, updated_at, ended_at
           from perdure.instance
          where (shard, id) = (walked.shard, walked.id)
         offset 0) as i
   cross join lateral (
         select case
                  when i.status = 'running'
                   and not exists (select from perdure.token as t
                                    where (t.shard, t.instance_id) = (i.shard, i.id)
                                      and t.status in ('ready', 'executing'))
                  then 'waiting'
                  else i.status
                end as shown) as seen
   where ($3::text is null or i.flow = $3)
     and ($4::integer is null or i.flow_version = $4)
     and ($5::text[] is null or seen.shown = any ($5))
     and (not $6::boolean or i.stalled is not null)
     and ($7::text is null or i.key = $7)
     and ($8::text is null or i.tenant = $8)
     and ($9::text is null or i.parent_instance_id = $9)
     and ($10::bigint is null or i.created_at >= $10)
     and ($11::bigint is null or i.created_at < $11)
     and ($12::bigint is null or i.ended_at >= $12)
     and ($13::bigint is null or i.ended_at < $13)
     and (coalesce($14::text, $15::text, $16::text, $17::text) is null
          or (i.fault is not null
              and ($14 is null or perdure.text_of(i.fault, 'code') = $14)
              and ($15 is null or starts_with(perdure.text_of(i.fault, 'code'), $15))
              and ($16 is null or position($16 in perdure.text_of(i.fault, 'message')) > 0)
              and ($17 is null or perdure.text_of(i.fault, 'node') = $17))
          or exists (
             select from perdure.token as t
              where (t.shard, t.instance_id) = (i.shard, i.id)
                and t.status = 'waiting'
                and t.last_error is not null
                and t.wait like '{"on":"incident"%'
                and ($14 is null or perdure.text_of(t.last_error, 'code') = $14)
                and ($15 is null or starts_with(perdure.text_of(t.last_error, 'code'), $15))
                and ($16 is null or position($16 in perdure.text_of(t.last_error, 'message')) > 0)
                and ($17 is null or t.node_id = $17)))
     and not exists (
           select from unnest($18::text[], $19::text[], $20::text[], $21::double precision[],
                  $22::double precision[]) as sought (name, type, value, low, high)
            where not exists (
                    select from perdure.tag as g
                     where (g.shard, g.instance_id, g.name) = (i.shard, i.id, sought.name)
                       and g.type = coalesce(sought.type, g.type)
                       and g.value = coalesce(sought.value, g.value)
                       and (sought.low is null or g.number >= sought.low)
                       and (sought.high is null or g.number <= sought.high)))
   order by i.id desc
   limit $23`;

/**
 * The first that is not counted; no row: all are. Those below count what is newer. Of each shard so
 * many are walked at most; one that has more leaves gaps behind its last, and what is behind a gap
 * is not counted.
 */
export const tallyFloor = `
  with walked as (
    select s.shard, i.id
      from unnest($1::smallint[]) as s (shard)
     cross join lateral (
           (select id from perdure.instance
             where shard = s.shard and $2::text is null and $3::text is null
             order by id desc limit $5)
            union all
           (select id from perdure.instance
             where shard = s.shard and $3 is null and flow = $2
             order by id desc limit $5)
            union all
           (select id from perdure.instance
             where shard = s.shard and tenant = $3
             order by id desc limit $5)) as i
  ),
  beyond as (
    (select id from walked order by id desc limit 1 offset $4)
     union all
    select min(id) from walked group by shard having count(*) = $5
  )
  select max(id) as id from beyond having count(*) > 0`;

/**
 * Instances by flow, version and the status that people are shown. With the limit, tokens are read
 * by key: for an exists all of them would be.
 */
export const tallyGroups = `
  with meant as (
    select shard, id, flow, flow_version, status from perdure.instance
     where shard = any ($1::smallint[]) and $2::text is null and $3::text is null and id > $4
     union all
    select shard, id, flow, flow_version, status from perdure.instance
     where shard = any ($1) and $3 is null and flow = $2 and id > $4
     union all
    select shard, id, flow, flow_version, status from perdure.instance
     where shard = any ($1) and tenant = $3 and id > $4 and ($2 is null or flow = $2)
  )
  select flow, flow_version, shown, count(*) as count
    from (select m.flow, m.flow_version,
                 case
                   when m.status = 'running'
                    and (select true from perdure.token as t
                          where (t.shard, t.instance_id) = (m.shard, m.id)
                            and t.status in ('ready', 'executing')
                          limit 1) is null
                   then 'waiting'
                   else m.status
                 end as shown
            from meant as m) as seen
   group by flow, flow_version, shown
   order by flow, flow_version, shown`;

/**
 * Why instances failed and tokens wait to be mended: a row for each of the messages of a cause that
 * came most often, those of a cause one after the other.
 */
export const tallyCauses = `
  with meant as (
    select shard, id, flow, status, fault from perdure.instance
     where shard = any ($1::smallint[]) and $2::text is null and $3::text is null and id > $4
     union all
    select shard, id, flow, status, fault from perdure.instance
     where shard = any ($1) and $3 is null and flow = $2 and id > $4
     union all
    select shard, id, flow, status, fault from perdure.instance
     where shard = any ($1) and tenant = $3 and id > $4 and ($2 is null or flow = $2)
  ),
  cause as (
    select 'failed' as kind, id, flow, perdure.text_of(fault, 'node') as node, fault as body
      from meant
     where status = 'failed'
       and fault is not null
     union all
    select 'incident', m.id, m.flow, t.node_id, t.last_error
      from meant as m
      join perdure.token as t on (t.shard, t.instance_id) = (m.shard, m.id)
     where m.status in ('running', 'suspended', 'compensating')
       and t.status = 'waiting'
       and t.last_error is not null
       and t.wait like '{"on":"incident"%'
  ),
  said as (
    select flow, node, perdure.text_of(body, 'code') as code, kind,
           left(perdure.text_of(body, 'message'), $5) as message, count(*) as count,
           max(id) as newest
      from cause
     group by 1, 2, 3, 4, 5
  ),
  ranked as (
    select flow, node, code, kind, message, count,
           row_number() over (partition by flow, node, code, kind
                              order by count desc, newest desc) as place,
           sum(count) over (partition by flow, node, code, kind)::bigint as total,
           max(newest) over (partition by flow, node, code, kind) as latest
      from said
  )
  select flow, node, code, kind, message, count, total, latest
    from ranked
   where place <= $6
   order by total desc, latest desc, flow, code, node, kind, place
   limit $7`;

export const tagsOf = `
  select g.instance_id, g.name, g.type, g.value
    from unnest($1::smallint[], $2::text[]) as wanted (shard, id)
    join perdure.tag as g on (g.shard, g.instance_id) = (wanted.shard, wanted.id)
   order by g.instance_id, g.name`;

/**
 * Tasks of these lists, behind a place, up to a rank, and as asked for. What may be asked for and
 * is not is null. Those below are the same in other orders: each by an index of its own.
 */
export const tasksByCreated = `
  with page as (
    select distinct f.rank, f.shard, f.instance_id, f.token_id, f.kind
      from unnest($1::smallint[]) as s (shard)
     cross join unnest($2::text[], $3::text[]) as wanted (list, name)
     cross join lateral (
           select l.by_created as rank, t.shard, t.instance_id, t.token_id, t.kind
             from perdure.task_list as l
             join perdure.task as t
               on (t.shard, t.instance_id, t.token_id) = (l.shard, l.instance_id, l.token_id)
            where (l.shard, l.list, l.name) = (s.shard, wanted.list, wanted.name)
              and (l.by_created, l.instance_id, l.token_id) > ($4, $5, $6)
              and l.by_created <= $7
              and ($9::text is null or t.kind = $9) and ($10::text is null or t.flow = $10)
              and ($11::text is null or t.node_id = $11) and ($12::text is null or t.tenant = $12)
              and ($13::text is null or t.assignee = $13)
              and ($14::integer = 0 or t.assignee is null)
              and t.created_at >= $15 and t.created_at < $16
              and ($17::bigint is null or t.due_at >= $17)
              and ($18::bigint is null or t.due_at < $18)
              and ($19::bigint is null or t.follow_up_at >= $19)
              and ($20::bigint is null or t.follow_up_at < $20)
              and ($21::bigint is null or t.priority >= $21)
            order by l.by_created, l.instance_id, l.token_id
            limit $8) as f
     order by f.rank, f.instance_id, f.token_id
     limit $8
  )
  select page.*, i.flow, i.flow_version, i.key, i.tenant, i.status, k.node_id, k.created_at,
         coalesce(k.wake_at, k.held_wake_at) as wake_at, k.wait
    from page
    join perdure.instance as i on (i.shard, i.id) = (page.shard, page.instance_id)
    join perdure.token as k
      on (k.shard, k.instance_id, k.id) = (page.shard, page.instance_id, page.token_id)`;

export const tasksByDue = `
  with page as (
    select distinct f.rank, f.shard, f.instance_id, f.token_id, f.kind
      from unnest($1::smallint[]) as s (shard)
     cross join unnest($2::text[], $3::text[]) as wanted (list, name)
     cross join lateral (
           select l.by_due as rank, t.shard, t.instance_id, t.token_id, t.kind
             from perdure.task_list as l
             join perdure.task as t
               on (t.shard, t.instance_id, t.token_id) = (l.shard, l.instance_id, l.token_id)
            where (l.shard, l.list, l.name) = (s.shard, wanted.list, wanted.name)
              and (l.by_due, l.instance_id, l.token_id) > ($4, $5, $6)
              and l.by_due <= $7
              and ($9::text is null or t.kind = $9) and ($10::text is null or t.flow = $10)
              and ($11::text is null or t.node_id = $11) and ($12::text is null or t.tenant = $12)
              and ($13::text is null or t.assignee = $13)
              and ($14::integer = 0 or t.assignee is null)
              and t.created_at >= $15 and t.created_at < $16
              and ($17::bigint is null or t.due_at >= $17)
              and ($18::bigint is null or t.due_at < $18)
              and ($19::bigint is null or t.follow_up_at >= $19)
              and ($20::bigint is null or t.follow_up_at < $20)
              and ($21::bigint is null or t.priority >= $21)
            order by l.by_due, l.instance_id, l.token_id
            limit $8) as f
     order by f.rank, f.instance_id, f.token_id
     limit $8
  )
  select page.*, i.flow, i.flow_version, i.key, i.tenant, i.status, k.node_id, k.created_at,
         coalesce(k.wake_at, k.held_wake_at) as wake_at, k.wait
    from page
    join perdure.instance as i on (i.shard, i.id) = (page.shard, page.instance_id)
    join perdure.token as k
      on (k.shard, k.instance_id, k.id) = (page.shard, page.instance_id, page.token_id)`;

export const tasksByPriority = `
  with page as (
    select distinct f.rank, f.shard, f.instance_id, f.token_id, f.kind
      from unnest($1::smallint[]) as s (shard)
     cross join unnest($2::text[], $3::text[]) as wanted (list, name)
     cross join lateral (
           select l.by_priority as rank, t.shard, t.instance_id, t.token_id, t.kind
             from perdure.task_list as l
             join perdure.task as t
               on (t.shard, t.instance_id, t.token_id) = (l.shard, l.instance_id, l.token_id)
            where (l.shard, l.list, l.name) = (s.shard, wanted.list, wanted.name)
              and (l.by_priority, l.instance_id, l.token_id) > ($4, $5, $6)
              and l.by_priority <= $7
              and ($9::text is null or t.kind = $9) and ($10::text is null or t.flow = $10)
              and ($11::text is null or t.node_id = $11) and ($12::text is null or t.tenant = $12)
              and ($13::text is null or t.assignee = $13)
              and ($14::integer = 0 or t.assignee is null)
              and t.created_at >= $15 and t.created_at < $16
              and ($17::bigint is null or t.due_at >= $17)
              and ($18::bigint is null or t.due_at < $18)
              and ($19::bigint is null or t.follow_up_at >= $19)
              and ($20::bigint is null or t.follow_up_at < $20)
              and ($21::bigint is null or t.priority >= $21)
            order by l.by_priority, l.instance_id, l.token_id
            limit $8) as f
     order by f.rank, f.instance_id, f.token_id
     limit $8
  )
  select page.*, i.flow, i.flow_version, i.key, i.tenant, i.status, k.node_id, k.created_at,
         coalesce(k.wake_at, k.held_wake_at) as wake_at, k.wait
    from page
    join perdure.instance as i on (i.shard, i.id) = (page.shard, page.instance_id)
    join perdure.token as k
      on (k.shard, k.instance_id, k.id) = (page.shard, page.instance_id, page.token_id)`;

/** Those of an instance, or else of a key, and in one of these lists, if any are given. */
export const tasksOf = `
  with page as (
    select r.rank, t.shard, t.instance_id, t.token_id, t.kind
      from unnest($1::smallint[]) as s (shard)
     cross join lateral (
           select $2::text collate "C" as id where $2 is not null
            union all
           select id from perdure.instance
            where shard = s.shard and key = $3 and $2::text is null) as w
      join perdure.task as t on (t.shard, t.instance_id) = (s.shard, w.id)
     cross join lateral (
           select case $4 when 'due' then coalesce(t.due_at, 9007199254740991)
                          when 'priority' then - t.priority
                          else t.created_at end as rank) as r
     where ($5::text[] is null
            or exists (select
                         from perdure.task_list as l
                        where (l.shard, l.instance_id, l.token_id)
                              = (t.shard, t.instance_id, t.token_id)
                          and (l.list, l.name) in (select * from unnest($5::text[], $6::text[]))))
       and (r.rank, t.instance_id, t.token_id) > ($7, $8, $9)
       and r.rank <= $10
       and ($12::text is null or t.kind = $12) and ($13::text is null or t.flow = $13)
       and ($14::text is null or t.node_id = $14) and ($15::text is null or t.tenant = $15)
       and ($16::text is null or t.assignee = $16) and ($17::integer = 0 or t.assignee is null)
       and t.created_at >= $18 and t.created_at < $19
       and ($20::bigint is null or t.due_at >= $20)
       and ($21::bigint is null or t.due_at < $21)
       and ($22::bigint is null or t.follow_up_at >= $22)
       and ($23::bigint is null or t.follow_up_at < $23)
       and ($24::bigint is null or t.priority >= $24)
     order by r.rank, t.instance_id, t.token_id
     limit $11
  )
  select page.*, i.flow, i.flow_version, i.key, i.tenant, i.status, k.node_id, k.created_at,
         coalesce(k.wake_at, k.held_wake_at) as wake_at, k.wait
    from page
    join perdure.instance as i on (i.shard, i.id) = (page.shard, page.instance_id)
    join perdure.token as k
      on (k.shard, k.instance_id, k.id) = (page.shard, page.instance_id, page.token_id)
   where ($3::text is null or i.key = $3)`;

/**
 * Of these instances those that are over and as asked for, and whether somebody still has a use for
 * them: what they have for others is on its way, or the one that called them is open. (The id of a
 * post begins with that of its instance, and a slash: 0 is the next character.)
 */
export const prunable = `
  select i.id,
         (exists (select from perdure.outbox as p
                   where p.shard = i.shard and p.id > i.id || '/' and p.id < i.id || '0'
                     and p.instance_id = i.id)
          or exists (select from perdure.letter as l
                      where (l.shard, l.instance_id) = (i.shard, i.id) and l.status <> 'dead')
          or exists (select from perdure.instance as c
                      where c.shard = any ($3::smallint[]) and c.id = i.parent_instance_id
                        and c.ended_at is null))::integer as held
    from perdure.instance as i
   where i.shard = $1 and i.id = any ($2::text[])
     and i.status = any ($4::text[])
     and ($5::text is null or i.flow = $5)
     and ($6::text is null or i.tenant = $6)
     and i.ended_at < $7
   order by i.id
   limit $8`;

/** All that an instance which is over has left. */
export const removeInputs = `
  delete from perdure.instance_input where shard = $1 and instance_id = any ($2::text[])`;
export const removeTokens = `
  delete from perdure.token where shard = $1 and instance_id = any ($2::text[])`;
export const removeUndos = `
  delete from perdure.undo where shard = $1 and instance_id = any ($2::text[])`;
export const removeTags = `
  delete from perdure.tag where shard = $1 and instance_id = any ($2::text[])`;
export const removeHistory = `
  delete from perdure.history where shard = $1 and instance_id = any ($2::text[])`;
export const removeSnapshots = `
  delete from perdure.snapshot where shard = $1 and instance_id = any ($2::text[])`;
export const removeDropped = `
  delete from perdure.dropped where shard = $1 and instance_id = any ($2::text[])`;
export const removeInstances = `
  delete from perdure.instance where shard = $1 and id = any ($2::text[])`;

/** Ids that are not to be used again. */
export const putPruned = `
  insert into perdure.pruned (shard, id, at)
  select $1::smallint, chosen.id, perdure.moment($3)
    from unnest($2::text[]) as chosen (id)
      on conflict do nothing`;
export const prunedById = 'select id from perdure.pruned where (shard, id) = ($1, $2)';

/** Messages by their ids, and whether nobody can have them any more, nor had them lately. */
export const messagesAfter = `
  select m.id, m.spent
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select m.id,
                (m.expires_at < $4
                 or (m.status = 'consumed' and m.published_at < $4
                     and $4 > coalesce((select max(d.at) from perdure.delivery as d
                                         where d.shard = any ($1::smallint[])
                                           and d.message_id = m.id), 0)
                     and (select min(u.n) from perdure.unheard as u
                           where u.shard = any ($1::smallint[])
                             and u.message_id = m.id) is null))::integer as spent
           from perdure.inbox as m
          where m.shard = s.shard and m.id > $2
          order by m.id
          limit $3) as m
   order by m.id
   limit $3`;

export const removeMessages = `
  delete from perdure.inbox where shard = any ($1::smallint[]) and id = any ($2::text[])`;

export const removeDeliveries = `
  delete from perdure.delivery
   where shard = any ($1::smallint[]) and message_id = any ($2::text[])`;

export const removeUnheard = `
  delete from perdure.unheard
   where shard = any ($1::smallint[]) and message_id = any ($2::text[])`;

/** No row: there is one of that name. The first version is the moment it was made. */
export const putSchedule = `
  insert into perdure.schedule (shard, name, flow, spec, status, next_at, last_at, since, version,
         created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, perdure.moment($9), perdure.moment($9),
         perdure.moment($9))
      on conflict (shard, name) do nothing
  returning name`;

/** No row: it has another version, or there is none. */
export const alterSchedule = `
  update perdure.schedule
     set flow = $3, spec = $4, status = $5, next_at = $6, last_at = $7, since = $8,
         version = version + 1, updated_at = perdure.moment($9)
   where (shard, name, version) = ($1, $2, $10)
  returning name`;

/** The same without what was given. */
export const moveSchedule = `
  update perdure.schedule
     set next_at = $4, last_at = $5, version = version + 1, updated_at = perdure.moment($6)
   where (shard, name, version) = ($1, $2, $3)
  returning name`;

/** No row: there is none of that name. */
export const findSchedule = `
  select name, flow, spec, status, next_at, last_at, since, version, created_at, updated_at
    from perdure.schedule
   where (shard, name) = ($1, $2)`;

export const schedulesAfter = `
  select c.*
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select name, flow, spec, status, next_at, last_at, since, version, created_at, updated_at
           from perdure.schedule
          where shard = s.shard and name > $2
          order by name
          limit $3) as c
   order by c.name
   limit $3`;

/** Flow by flow, so that what nobody here can start is passed over. */
export const dueSchedules = `
  select name, flow, spec, status, next_at, last_at, since, version, created_at, updated_at
    from perdure.schedule
   where shard = any ($1::smallint[]) and flow = any ($2::text[])
     and status = 'active'
     and next_at <= perdure.moment($3)
     and name <> all ($5::text[])
   order by next_at, name
   limit $4`;

/** No row: there is none. */
export const removeSchedule = `
  delete from perdure.schedule where (shard, name) = ($1, $2) returning name`;

/** Parameters of a function, all of them in its order. */
const places = (most: number): string => Array.from({ length: most }, (_, n) => `$${n + 1}`).join();

/** How many tokens wait to be mended, up to a number, and whose the first of them are. */
export const countIncidents = `
  select count(*) as count,
         (json_agg(distinct instance_id) filter (where place <= 5))::text as ids
    from (select instance_id, row_number() over () as place
            from perdure.token
           where shard = any($1::smallint[])
             and status = 'waiting'
             and wait like '{"on":"incident"%'
           limit $2) as found`;

/** Tokens that have cost workers their lives, and the most that one has. */
export const countCrashed = `
  select count(*) as count, coalesce(max(crashes), 0) as most
    from perdure.token
   where shard = any($1::smallint[])
     and crashes >= $2`;

/** Work that was due long ago, by handler, of so many tokens at most. */
export const overdueWork = `
  select handler, count(*) as count, min(available_at) as since
    from (select handler, available_at
            from perdure.token
           where shard = any($1::smallint[])
             and status = 'ready'
             and handler is not null
             and available_at <= $2
           limit $3) as late
   group by handler
   order by min(available_at)`;

/**
 * How much there is to do and since when, each counted up to a number. Work takes the steps of
 * claimable; the rest is read off the front of each shard's index. A lone one is told as any other.
 */
export const backlog = `
  with recursive level (shard, handler, urgency) as (
    select s.shard, f.handler, f.urgency
      from unnest($1::smallint[]) as s (shard)
     cross join lateral (
           select handler, - priority as urgency
             from perdure.token
            where shard = s.shard and status = 'ready' and handler is not null
            order by handler, - priority
            limit 1) as f
     union all
    select l.shard, f.handler, f.urgency
      from level as l
     cross join lateral (
           select handler, - priority as urgency
             from perdure.token
            where shard = l.shard and status = 'ready' and handler is not null
              and (handler, - priority) > (l.handler, l.urgency)
            order by handler, - priority
            limit 1) as f
  )
  select perdure.moment($2) as now,
         (select count(*)
            from (select
                    from level as l
                   cross join lateral (
                         select
                           from perdure.token
                          where shard = l.shard and status = 'ready' and handler is not null
                            and handler = l.handler and - priority = l.urgency
                            and available_at <= perdure.moment($2)
                          order by available_at
                          limit $3) as t
                   limit $3) as found) as work,
         (select min((select available_at
                        from perdure.token
                       where shard = l.shard and status = 'ready' and handler is not null
                         and handler = l.handler and - priority = l.urgency
                       order by available_at
                       limit 1))
            from level as l) as work_since,
         0 as lone,
         null::bigint as lone_since,
         (select count(*)
            from (select
                    from unnest($1::smallint[]) as s (shard)
                   cross join lateral (
                         select
                           from perdure.token
                          where shard = s.shard and status = 'executing'
                          order by locked_until
                          limit $3) as t
                   limit $3) as found) as executing,
         (select count(*)
            from (select
                    from unnest($1::smallint[]) as s (shard)
                   cross join lateral (
                         select
                           from perdure.token
                          where shard = s.shard and status = 'executing'
                            and locked_until < perdure.moment($2)
                          order by locked_until
                          limit $3) as t
                   limit $3) as found) as expired,
         (select min((select wake_at
                        from perdure.token
                       where shard = s.shard and status = 'waiting' and wake_at is not null
                       order by wake_at
                       limit 1))
            from unnest($1::smallint[]) as s (shard)) as timers_since,
         (select count(*)
            from (select
                    from unnest($1::smallint[]) as s (shard)
                   cross join lateral (
                         select
                           from perdure.letter
                          where shard = s.shard and status = 'ready'
                            and available_at <= perdure.moment($2)
                          order by available_at
                          limit $3) as l
                   limit $3) as found) as letters,
         (select min((select available_at
                        from perdure.letter
                       where shard = s.shard and status = 'ready'
                       order by available_at
                       limit 1))
            from unnest($1::smallint[]) as s (shard)) as letters_since,
         (select count(*)
            from (select
                    from unnest($1::smallint[]) as s (shard)
                   cross join lateral (
                         select
                           from perdure.letter
                          where shard = s.shard and status = 'dead'
                          order by n
                          limit $3) as l
                   limit $3) as found) as dead,
         (select count(*)
            from (select
                    from unnest($1::smallint[]) as s (shard)
                   cross join lateral (
                         select
                           from perdure.inbox
                          where shard = s.shard and status = 'pending'
                            and expires_at >= perdure.moment($2)
                          order by expires_at
                          limit $3) as m
                   limit $3) as found) as messages`;

/** What only this store has a use for. */
export const own = {
  /**
   * Those that have not said so again in time. One that just says so, or forgets others, is passed
   * over: of two that come back together each would wait for the other.
   */
  dropServersGone: `
    with gone as materialized (
      select shard, ctid as place
        from perdure.server
       where shard = any ($1::smallint[])
         and until < perdure.moment($2)
         for update skip locked
    )
    delete from perdure.server as s
     using gone as g
     where (s.shard, s.ctid) = (g.shard, g.place)`,
  /** The moment that counts in a transaction: read once its locks are held. */
  clock: 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now',

  /** Whoever else migrates is waited for, however long it takes. */
  beginMigrations: 'begin',
  /** Held until the end of the transaction, and by nobody else: there is one migrator at a time. */
  lockMigrations: `select pg_advisory_xact_lock(hashtext('perdure.migration'))`,
  /** No row: it is still to be made. */
  findSchema: `
    select nspname as name from pg_namespace where oid = to_regnamespace('perdure.schema')`,
  createSchema: 'create schema if not exists perdure.schema',

  settings: `
    select current_setting('transaction_read_only') as read_only,
           current_setting('fsync') as fsync,
           current_setting('synchronous_commit') as synchronous_commit,
           current_setting('full_page_writes') as full_page_writes`,
  /** What the server is, and how busy. */
  server: `
    select current_setting('server_version') as version,
           current_setting('server_version_num')::integer as number,
           pg_is_in_recovery() as standby,
           current_setting('max_connections')::integer as most,
           (select count(*)::integer
              from pg_stat_activity
             where backend_type = 'client backend') as used`,
  /** The tables with the most rows that are dead and not yet cleared away. */
  tables: `
    select relname as name, n_live_tup as live, n_dead_tup as dead,
           (extract(epoch from greatest(last_vacuum, last_autovacuum)) * 1000)::bigint as cleared
      from pg_stat_user_tables
     where schemaname = $1
     order by n_dead_tup desc
     limit 50`,
  /** Transactions that have been open for so many ms: nothing behind them is cleared away. */
  longTransactions: `
    select count(*)::integer as count,
           coalesce(max(extract(epoch from now() - xact_start) * 1000), 0)::bigint as longest
      from pg_stat_activity
     where datname = current_database()
       and pid <> pg_backend_pid()
       and xact_start < now() - $1::bigint * interval '1 millisecond'`,

  /** Which claims stand, by their place among those asked for. No row: it is lost. */
  held: `
    select held.place
      from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
           with ordinality as held (shard, instance_id, id, worker, version, place)
      join perdure.token as t
        on (t.shard, t.instance_id, t.id) = (held.shard, held.instance_id, held.id)
     where (t.status, t.locked_by, t.version) = ('executing', held.worker, held.version)`,

  /** What a worker holds with half a lease left, save for what is named or claimed in doubt. */
  renewAll: `
    update perdure.token as t
       set locked_until = greatest(t.locked_until, perdure.moment(null) + $3::bigint)
     where t.shard = any ($1::smallint[])
       and t.ctid = any (array(
             select h.ctid
               from perdure.token as h
              where h.shard = any ($1::smallint[]) and h.status = 'executing'
                and h.locked_until > perdure.moment(null) - $3::bigint
                and h.locked_until < perdure.moment(null) + $3::bigint / 2
                and h.locked_by = $2
                and (h.instance_id, h.id, h.version)
                    not in (select * from unnest($4::text[], $5::bigint[], $6::bigint[]))
                and not exists (select from unnest($7::bigint[], $8::bigint[]) as doubt (a, b)
                                 where h.locked_at between doubt.a and doubt.b)
                for no key update skip locked))`,

  /** An instance that turned out not to start: its key is another's. */
  dropInstance: `
    delete from perdure.instance as i
     using unnest($1::smallint[], $2::text[]) as lost (shard, id)
     where (i.shard, i.id) = (lost.shard, lost.id)`,

  /** Planned for the tables as they are now, and by their indexes: of large ones little is read. */
  beginSearch: `
    begin isolation level repeatable read, read only;
    set local plan_cache_mode = force_custom_plan;
    set local enable_seqscan = off; set local enable_bitmapscan = off;
    set local enable_hashjoin = off; set local enable_mergejoin = off`,
  /** Those of one shard alone, for whoever goes through all of them. */
  scanShard: `
    select id from perdure.instance where shard = $1 and id > $2 order by id limit $3`,

  /** Before instances are removed. What another holds is not over, or somebody else's to remove. */
  lockInstances: `
    select id
      from perdure.instance
     where shard = $1 and id = any ($2::text[])
     order by id
       for update skip locked`,

  /**
   * Whoever lets through is alone at it until the end of the transaction. What is lost with the
   * server is found again by the rows it was done for, so that nobody waits for the disk.
   */
  beginLanes: `
    begin;
    set local lock_timeout = 5000; set local idle_in_transaction_session_timeout = 5000;
    set local synchronous_commit = off;
    set local plan_cache_mode = force_generic_plan;
    set local enable_seqscan = off; set local enable_bitmapscan = off;
    set local enable_hashjoin = off; set local enable_mergejoin = off`,
  /** Nobody waits for whoever looks: it may stand still. */
  lockLanes: `select pg_try_advisory_xact_lock(hashtext('perdure.lanes'))::integer as locked`,

  /** A transaction for a handler, who decides alone how long its own statements wait. */
  beginWork: 'begin',
  /** From here on our own statements follow. Whoever gives up here loses what the handler did. */
  endWork: `
    set local lock_timeout = 5000; set local idle_in_transaction_session_timeout = 5000;
    set local plan_cache_mode = force_custom_plan`,

  /** A round of commits, each guarded by what it writes: all of them, or PD001. */
  commitRound: `
    select instance_id, id, version from perdure.commit_round(${places(86)})`,
  /** A single one that is a plain step. */
  commitOne: `select perdure.commit_one(${places(62)}) as now`,
  end: 'end', // Commits, too: what is no commit of an instance.
  /** One moment for several reads, each by its key as in a round of commits. */
  beginLoad: `
    begin isolation level repeatable read, read only;
    set local plan_cache_mode = force_generic_plan;
    set local enable_seqscan = off; set local enable_bitmapscan = off;
    set local enable_hashjoin = off; set local enable_mergejoin = off`,

  /**
   * A transaction of several rounds. What is held by others is waited for as in one round, and
   * plans are those of the function: by key, whatever the tables held when they were made.
   */
  beginRounds: `
    begin;
    set local lock_timeout = 1000; set local idle_in_transaction_session_timeout = 5000;
    set local plan_cache_mode = force_generic_plan;
    set local enable_seqscan = off; set local enable_bitmapscan = off;
    set local enable_hashjoin = off; set local enable_mergejoin = off`,

  /** For commits that turned out to need what another holds, after one wait for all of them. */
  beginBriefly: `
    begin;
    set local lock_timeout = 20; set local idle_in_transaction_session_timeout = 5000;
    set local plan_cache_mode = force_custom_plan`,

  /**
   * Around what we do in a transaction of someone else's: what fails leaves it as it was. Refused
   * (25P01) where no transaction is open, and each statement would stand on its own.
   */
  savepoint: 'savepoint perdure',
  releaseSavepoint: 'release savepoint perdure',
  rollbackToSavepoint: 'rollback to savepoint perdure',

  listen: 'listen perdure.bell',
  /** As a text: some libraries cannot read an answer of no type at all. */
  notify: 'select pg_notify($1, $2)::text as rung',
};

export const haltsNow = `
  select flow, version, suspended, at, said_by, why
    from perdure.halt
   where shard = any ($1::smallint[])
   order by flow, version`;

export const putHalt = `
  insert into perdure.halt (shard, flow, version, suspended, said_by, why, at)
  values ($1, $2, $3, $4, $5, $6, perdure.moment($7))
      on conflict (shard, flow, version) do update
     set suspended = excluded.suspended, said_by = excluded.said_by, why = excluded.why,
         at = excluded.at
  returning flow, version, suspended, at, said_by, why`;

/** No row: nothing is said of it, or something else by now. */
export const dropHalt = `
  delete from perdure.halt
   where (shard, flow, version) = ($1, $2, $3)
     and (suspended, at) = ($4, $5)
  returning flow`;

export const heldInstances = `
  select i.id, i.flow, i.flow_version
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select id, flow, flow_version
           from perdure.instance
          where shard = s.shard and halted is not null and id > $2
          order by id
          limit $3) as i
   order by i.id
   limit $3`;

export const putServer = `
  insert into perdure.server (shard, worker, handlers, until)
  values ($1, $2, $3, perdure.moment($5) + $4::bigint)
      on conflict (shard, worker) do update
     set handlers = excluded.handlers, until = excluded.until`;

export const dropServer = 'delete from perdure.server where (shard, worker) = ($1, $2)';

/** What is claimed, whoever has it; what ends first comes first, for the index has it so. */
export const holdsNow = `
  select t.locked_by, t.instance_id, t.id, t.node_id, t.locked_at, t.locked_until
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select locked_by, instance_id, id, node_id, locked_at, locked_until
           from perdure.token
          where shard = s.shard and status = 'executing'
          order by locked_until
          limit $2) as t
   order by t.locked_until, t.instance_id, t.id
   limit $2`;

export const serversNow = `
  select worker, handlers, until
    from perdure.server
   where shard = any ($1::smallint[])
     and until >= perdure.moment($2)
   order by worker`;

/** Due for so long, and none of those that are there now has the handler. */
export const unserved = `
  select t.instance_id, t.id, t.node_id, coalesce(t.handler, t.held_handler) as handler,
         coalesce(t.due_at, t.available_at) as available_at
    from unnest($1::smallint[], $2::text[]) as wanted (shard, id)
    join perdure.instance as i on (i.shard, i.id) = (wanted.shard, wanted.id)
    join perdure.token as t on (t.shard, t.instance_id) = (i.shard, i.id)
   where t.status = 'ready'
     and i.status <> 'suspended'
     and coalesce(t.due_at, t.available_at) <= perdure.moment($3) - $4::bigint
     and coalesce(t.handler, t.held_handler) is not null
     and coalesce(t.handler, t.held_handler) <> all (
           select json_array_elements_text(s.handlers::json)
             from perdure.server as s
            where s.shard = any ($5::smallint[])
              and s.until >= perdure.moment($3))
   order by 5, t.instance_id, t.id`;

/** A few of a shard that are over. One that somebody takes or removes just now is passed over. */
export const clearReceipts = `
  with gone as materialized (
    select shard, key
      from perdure.receipt
     where shard = $1
       and expires_at <= perdure.moment($2)
     order by expires_at
     limit $3
       for update skip locked
  )
  delete from perdure.receipt as r
   using gone as g
   where (r.shard, r.key) = (g.shard, g.key)`;

/**
 * What stands there is altered only if it is over: whoever finds it asked for once is new. Of two
 * at the same moment the second waits for the first, and is given what that one wrote.
 */
export const takeReceipt = `
  insert into perdure.receipt as r (shard, key, body, at, expires_at, asked)
  values ($1, $2, $3, perdure.moment($4), perdure.moment($4) + $5::bigint, 1)
      on conflict (shard, key) do update
     set body = case when r.expires_at <= excluded.at then excluded.body else r.body end,
         at = case when r.expires_at <= excluded.at then excluded.at else r.at end,
         expires_at = case when r.expires_at <= excluded.at then excluded.expires_at
                           else r.expires_at end,
         asked = case when r.expires_at <= excluded.at then 1 else r.asked + 1 end
  returning r.body, r.at, r.asked`;

export const findReceipt = `
  select body, at
    from perdure.receipt
   where (shard, key) = ($1, $2)
     and expires_at > perdure.moment($3)`;

/** No row: it is not there any more, or not what it was. */
export const putReceipt = `
  update perdure.receipt
     set body = $3
   where (shard, key) = ($1, $2)
     and expires_at > perdure.moment($5)
     and ($4::text is null or body = $4)
  returning key`;

/** By their keys, and whether they are over. */
export const receiptsAfter = `
  select r.key, r.is_over
    from unnest($1::smallint[]) as s (shard)
   cross join lateral (
         select key, (expires_at <= perdure.moment($4))::integer as is_over
           from perdure.receipt
          where shard = s.shard and key > $2
          order by key
          limit $3) as r
   order by r.key
   limit $3`;

/** One that was taken anew meanwhile stays, and so does one that somebody just takes. */
export const removeReceipts = `
  with gone as materialized (
    select shard, key
      from perdure.receipt
     where shard = any ($1::smallint[])
       and key = any ($2::text[])
       and expires_at <= perdure.moment($3)
       for update skip locked
  )
  delete from perdure.receipt as r
   using gone as g
   where (r.shard, r.key) = (g.shard, g.key)
  returning r.key`;
