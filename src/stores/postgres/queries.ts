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
  set local lock_timeout = 1000;
  set local idle_in_transaction_session_timeout = 5000;
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
  insert into perdure.plan (hash, name, version, body)
  values ($1, $2, $3, $4)
      on conflict (hash) do nothing`;

/** No row: nobody saved that plan. */
export const findPlan = 'select hash, name, version, body from perdure.plan where hash = $1';

/** No row: there is no such instance. */
export const findInstance = `
  select i.id, i.plan_hash, i.flow, i.flow_version, i.status, i.version, i.counter, i.key, i.tenant,
         i.priority, b.body as input, i.output, i.fault, i.stalled, i.outcome,
         i.parent_instance_id, i.parent_token_id, i.created_at, i.updated_at, i.ended_at
    from unnest($1::smallint[], $2::text[]) as wanted (shard, id)
    join perdure.instance as i on (i.shard, i.id) = (wanted.shard, wanted.id)
    left join perdure.instance_input as b on (b.shard, b.instance_id) = (i.shard, i.id)`;

export const tokensOf = `
  select t.instance_id, t.id, t.scope_id, t.node_id, t.via, t.handler, t.seq, t.status, t.mode,
         t.groups, t.visit, t.attempts, t.crashes, t.max_attempts, t.priority, t.available_at,
         t.wait, t.wake_at, t.wake, t.last_error, t.hops, t.created_at, t.updated_at
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
   where (t.status, t.locked_by, t.version) = ('executing', held.worker, held.version)
   order by t.shard, t.instance_id, t.id
     for no key update of t`;

/** No row: the instance has not had the message. */
export const findDelivery = `
  select d.message_id, d.instance_id
    from unnest($1::smallint[], $2::text[], $3::text[]) as asked (shard, message_id, instance_id)
    join perdure.delivery as d on (d.shard, d.message_id, d.instance_id)
         = (asked.shard, asked.message_id, asked.instance_id)`;

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

export const putInput = `
  insert into perdure.instance_input (shard, instance_id, body)
  select * from unnest($1::smallint[], $2::text[], $3::text[])`;

/** No row: another instance has the key. (Whoever is just taking it is waited for.) */
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
 * lease, and one more is added.
 */
export const putToken = `
  insert into perdure.token as t (shard, instance_id, id, scope_id, node_id, via, handler, seq,
         status, mode, groups, visit, attempts, crashes, max_attempts, priority, available_at, wait,
         wake_at, wake, last_error, hops, created_at, updated_at, locked_by, locked_at,
         locked_until, version)
  select n.shard, n.instance_id, n.id, scope_id, node_id, via, handler, seq, status, mode, groups,
         visit, attempts, crashes, max_attempts, priority, available_at, wait, wake_at, wake,
         last_error, hops, created_at, updated_at, worker, now, now + lease_ms,
         (worker is not null)::integer
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[],
         $7::text[], $8::integer[], $9::text[], $10::text[], $11::text[], $12::integer[],
         $13::integer[], $14::integer[], $15::bigint[], $16::bigint[], $17::bigint[], $18::text[],
         $19::bigint[], $20::text[], $21::text[], $22::integer[], $23::bigint[], $24::bigint[],
         $25::text[], $26::bigint[], $27::bigint[])
         as n (shard, instance_id, id, scope_id, node_id, via, handler, seq, status, mode, groups,
         visit, attempts, crashes, max_attempts, priority, available_at, wait, wake_at, wake,
         last_error, hops, created_at, updated_at, worker, now, lease_ms)
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
  returning instance_id, id, version`;

export const endToken = `
  delete from perdure.token as t
   using unnest($1::smallint[], $2::text[], $3::bigint[]) as ended (shard, instance_id, id)
   where (t.shard, t.instance_id, t.id) = (ended.shard, ended.instance_id, ended.id)`;

/** Opens it. One that is open already can only come to lie elsewhere, be let go of, or drain. */
export const putScope = `
  insert into perdure.scope (shard, instance_id, id, parent_id, owner_id, drains_id, node_id,
         item_index, item)
  select *
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
         $7::text[], $8::integer[], $9::text[])
      on conflict (shard, instance_id, id) do update
     set parent_id = excluded.parent_id, owner_id = excluded.owner_id,
         drains_id = excluded.drains_id, item_index = excluded.item_index, item = excluded.item`;

export const closeScope = `
  delete from perdure.scope as s
   using unnest($1::smallint[], $2::text[], $3::bigint[]) as closed (shard, instance_id, id)
   where (s.shard, s.instance_id, s.id) = (closed.shard, closed.instance_id, closed.id)`;

export const closeVariables = `
  delete from perdure.variable as v
   using unnest($1::smallint[], $2::text[], $3::bigint[]) as closed (shard, instance_id, id)
   where (v.shard, v.instance_id, v.scope_id) = (closed.shard, closed.instance_id, closed.id)`;

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
  insert into perdure.subscription (shard, instance_id, token_id, type, key)
  select * from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::text[])
      on conflict do nothing`;

export const unsubscribe = `
  delete from perdure.subscription as s
   using unnest($1::smallint[], $2::text[], $3::bigint[]) as gone (shard, instance_id, token_id)
   where (s.shard, s.instance_id, s.token_id) = (gone.shard, gone.instance_id, gone.token_id)`;

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

export const clearUndos = `
  delete from perdure.undo as u
   using unnest($1::smallint[], $2::text[]) as ended (shard, id)
   where (u.shard, u.instance_id) = (ended.shard, ended.id) and u.status <> 'failed'`;

export const putDelivery = `
  insert into perdure.delivery (shard, message_id, instance_id)
  select * from unnest($1::smallint[], $2::text[], $3::text[])`;

export const putHistory = `
  insert into perdure.history (shard, instance_id, n, commit_id, at, changes)
  select *
    from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::text[])`;

export const putSnapshot = `
  insert into perdure.snapshot (shard, instance_id, n, body)
  select * from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[])`;

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
  select t.instance_id, t.id, t.version, t.locked_by, t.handler, t.locked_at, t.locked_until,
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
 * all where nothing is ready. More are looked at ($5, and of each stretch ten more) than are taken
 * ($4): what another process has locked is passed over. Only what is taken is locked, and one that
 * changed meanwhile is not: the version of the instance would no longer be the one read with it.
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
           select shard, instance_id, id, version, priority, available_at
             from perdure.token
            where shard = l.shard and status = 'ready' and handler is not null
              and handler = l.handler and - priority = l.urgency
              and available_at <= perdure.moment($3) and crashes < 2
            order by available_at
            limit $4 + 10) as c
     where l.handler = any ($2::text[])
     order by c.priority desc, c.available_at, c.instance_id, c.id
     limit $5
  ),
  taken as materialized (
    select t.*
      from candidate as c
     cross join lateral (
           select shard, instance_id, id
             from perdure.token
            where (shard, instance_id, id) = (c.shard, c.instance_id, c.id)
              and (status, version) = ('ready', c.version)
              for no key update skip locked) as t
     limit $4
  )
  update perdure.token as t
     set status = 'executing', version = t.version + 1,
         locked_by = $6, locked_at = perdure.moment($3),
         locked_until = perdure.moment($3) + $7::bigint
    from taken
    join perdure.instance as i on (i.shard, i.id) = (taken.shard, taken.instance_id)
   where (t.shard, t.instance_id, t.id) = (taken.shard, taken.instance_id, taken.id)
  returning t.instance_id, t.id, t.version, t.locked_by, t.handler, t.locked_at, t.locked_until,
         i.version as instance_version, t.priority, t.available_at`;

/** The same for one of those that have cost two workers their lives. */
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

/** Null: none is due. */
export const loneSince = `
  select min(available_at) as at
    from perdure.token
   where shard = any ($1::smallint[]) and status = 'ready' and crashes >= 2
     and handler = any ($2::text[])
     and available_at <= perdure.moment($3)`;

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

/** No row: the claim was lost, and is left to whoever has it; or it is just being settled. */
export const release = `
  with standing as materialized (
    select t.*
      from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
           as held (shard, instance_id, id, worker, version)
     cross join lateral (
           select shard, instance_id, id
             from perdure.token
            where (shard, instance_id, id) = (held.shard, held.instance_id, held.id)
              and (status, locked_by, version) = ('executing', held.worker, held.version)
              and locked_until >= perdure.moment($6)
              for no key update skip locked) as t
  )
  update perdure.token as t
     set status = 'ready', version = t.version + 1,
         locked_by = null, locked_at = null, locked_until = null
    from standing
   where (t.shard, t.instance_id, t.id) = (standing.shard, standing.instance_id, standing.id)`;

export const expired = `
  select t.instance_id, t.id, t.version, t.locked_by, t.handler, t.locked_at, t.locked_until,
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

/** The same steps from stretch to stretch as in claimable. Null: nothing will ever be due. */
export const nextDue = `
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
  moment (at) as (
    select (select available_at
              from perdure.token
             where shard = l.shard and status = 'ready' and handler is not null
               and handler = l.handler and - priority = l.urgency
             order by available_at
             limit 1)
      from level as l
     where l.handler = any ($2::text[])
     union all
    select (select wake_at
              from perdure.token
             where shard = s.shard and status = 'waiting' and wake_at is not null
             order by wake_at
             limit 1)
      from unnest($1::smallint[]) as s (shard)
     union all
    select (select locked_until
              from perdure.token
             where shard = s.shard and status = 'executing'
             order by locked_until
             limit 1) + 1
      from unnest($1::smallint[]) as s (shard)
  )
  select min(at) as at, perdure.moment(null) as now from moment`;

/** No row: the id is known. */
export const publish = `
  insert into perdure.inbox (shard, id, type, key, data, status, published_at, expires_at)
  values ($1, $2, $3, $4, $5, 'pending', perdure.moment($6), perdure.moment($6) + $7::bigint)
      on conflict (shard, id) do nothing
  returning id`;

/** Messages that somebody waits for, oldest first, with one token of each instance that does. */
export const awaited = `
  select m.id, m.type, m.key, m.data, s.instance_id, min(s.token_id) as token_id
    from perdure.inbox as m
    join perdure.subscription as s
      on s.shard = any ($1::smallint[]) and (s.type, s.key) = (m.type, m.key)
   where m.shard = any ($1::smallint[])
     and m.status = 'pending'
     and m.expires_at >= perdure.moment($2)
     and not exists (select from perdure.delivery as d
                      where (d.shard, d.message_id, d.instance_id) = (s.shard, m.id, s.instance_id))
   group by m.shard, m.id, s.instance_id
   order by m.n, s.instance_id
   limit $3`;

/** One token of each instance: an instance has a message once, however many of its tokens wait. */
export const deliverable = `
  select m.id, m.type, m.key, m.data, s.instance_id, min(s.token_id) as token_id
    from perdure.inbox as m
    join perdure.subscription as s
      on s.shard = any ($1::smallint[]) and (s.type, s.key) = (m.type, m.key)
   where (m.shard, m.id) = ($2, $3)
     and m.status = 'pending'
     and m.expires_at >= perdure.moment($4)
     and not exists (select from perdure.delivery as d
                      where (d.shard, d.message_id, d.instance_id) = (s.shard, m.id, s.instance_id))
   group by m.shard, m.id, s.instance_id
   order by s.instance_id
   limit $5`;

/** No row: nobody has had the message, or there is none. */
export const consume = `
  update perdure.inbox
     set status = 'consumed'
   where (shard, id) = ($2, $3)
     and exists (select from perdure.delivery
                  where shard = any ($1::smallint[]) and message_id = $3)
  returning id`;

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

/** What only this store has a use for. */
export const own = {
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

  /** Which claims stand, by their place among those asked for. No row: it is lost. */
  held: `
    select held.place
      from unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
           with ordinality as held (shard, instance_id, id, worker, version, place)
      join perdure.token as t
        on (t.shard, t.instance_id, t.id) = (held.shard, held.instance_id, held.id)
     where (t.status, t.locked_by, t.version) = ('executing', held.worker, held.version)`,

  /** An instance that turned out not to start: its key is another's. */
  dropInstance: `
    delete from perdure.instance as i
     using unnest($1::smallint[], $2::text[]) as lost (shard, id)
     where (i.shard, i.id) = (lost.shard, lost.id)`,

  /** A transaction for a handler, who decides alone how long its own statements wait. */
  beginWork: 'begin',
  /** From here on our own statements follow. Whoever gives up here loses what the handler did. */
  endWork: `
    set local lock_timeout = 5000;
    set local idle_in_transaction_session_timeout = 5000;
    set local plan_cache_mode = force_custom_plan`,

  /** For commits that turned out to need what another holds, after one wait for all of them. */
  beginBriefly: `
    begin;
    set local lock_timeout = 20;
    set local idle_in_transaction_session_timeout = 5000;
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
