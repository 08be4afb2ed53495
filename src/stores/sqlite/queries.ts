/**
 * Every statement the SQLite store runs. Nowhere else in the project is SQL written for it.
 *
 * One constant per statement, fixed text, never assembled: a query with two shapes is two queries.
 * Parameters are numbered in the order in which `rows.ts` gives them. Writes begin immediate, and
 * SQLite has a single writer, so what a guard has read still holds when the rows are written. `now`
 * is read inside the transaction, from the clock of the one machine that all processes are on.
 */

export const begin = 'begin immediate';
/** One moment for several reads. */
export const beginRead = 'begin';
export const commit = 'commit';
export const rollback = 'rollback';

/** No row: nothing of ours is in the database yet. */
export const migrationTable = `
  select name from sqlite_schema where type = 'table' and name = 'migration'`;

/** Null: the table is there and no migration is. */
export const newestMigration = 'select max(number) as number from migration';

export const putMigration = 'insert into migration (number, name, applied_at) values (?1, ?2, ?3)';

export const putPlan = `
  insert into plan (hash, name, version, body)
  values (?1, ?2, ?3, ?4)
      on conflict (hash) do nothing`;

/** No row: nobody saved that plan. */
export const findPlan = 'select hash, name, version, body from plan where hash = ?1';

/** No row: there is no such instance. */
export const findInstance = `
  select id, plan_hash, flow, flow_version, status, version, counter, key, tenant, priority,
         body as input, output, fault, stalled, outcome, parent_instance_id, parent_token_id,
         created_at, updated_at, ended_at
    from instance
    left join instance_input on instance_id = id
   where id = ?1`;

export const tokensOf = `
  select id, scope_id, node_id, via, handler, seq, status, mode, groups, visit, attempts, crashes,
         max_attempts, priority, available_at, wait, wake_at, wake, last_error, hops, created_at,
         updated_at
    from token
   where instance_id = ?1
   order by id`;

export const scopesOf = `
  select id, parent_id, owner_id, node_id, item_index, item, drains_id
    from scope
   where instance_id = ?1
   order by id`;

export const variablesOf = `
  select scope_id, space, name, value
    from variable
   where instance_id = ?1
   order by place`;

export const latchesOf = `
  select scope_id, node_id, group_id, fired
    from latch
   where instance_id = ?1
   order by scope_id, group_id, node_id`;

export const undosOf = `
  select id, saga_id, node_id, token_id, visit, result, item_index, item, in_doubt, status, by_id,
         fault
    from undo
   where instance_id = ?1
   order by id`;

/** The first guard of a commit. No row: there is no such instance. */
export const versionOf = 'select version from instance where id = ?1';

/** No row: the key is free. */
export const keyHolder = 'select instance_id as id from business_key where (flow, key) = (?1, ?2)';

/** Until when the claim holds, by the clock alone. No row: it was lost. */
export const fence = `
  select locked_until
    from token
   where (instance_id, id, status, locked_by, version) = (?1, ?2, 'executing', ?3, ?4)`;

/** No row: the instance has not had the message. */
export const findDelivery = `
  select message_id from delivery where (message_id, instance_id) = (?1, ?2)`;

export const putInstance = `
  insert into instance (id, plan_hash, flow, flow_version, status, version, counter, priority,
         output, fault, stalled, updated_at, ended_at, outcome, key, tenant, created_at,
         parent_instance_id, parent_token_id)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)`;

/** Its key, its input and who called it never change; the guard has seen the version. */
export const updateInstance = `
  update instance
     set plan_hash = ?2, flow = ?3, flow_version = ?4, status = ?5, version = ?6, counter = ?7,
         priority = ?8, output = ?9, fault = ?10, stalled = ?11, updated_at = ?12, ended_at = ?13,
         outcome = ?14
   where id = ?1`;

export const putInput = 'insert into instance_input (instance_id, body) values (?1, ?2)';
export const putKey = 'insert into business_key (flow, key, instance_id) values (?1, ?2, ?3)';

/** No row: another instance has the key by now. */
export const dropKey = 'delete from business_key where (flow, key, instance_id) = (?1, ?2, ?3)';

/**
 * A new token: version 0, or 1 if the same worker goes on with it, and then it comes as executing,
 * with worker, now and lease. No row changed: it is not new, and is altered instead. (One statement
 * for both would have to return the version, and that alone takes 2 of 8 µs.)
 */
export const putToken = `
  insert into token (instance_id, id, scope_id, node_id, via, handler, seq, status, mode, groups,
         visit, attempts, crashes, max_attempts, priority, available_at, wait, wake_at, wake,
         last_error, hops, created_at, updated_at, version, locked_by, locked_at, locked_until)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,
         ?20, ?21, ?22, ?23, ?24 is not null, ?24, ?25, ?25 + ?26)
      on conflict (instance_id, id) do nothing`;

export const endToken = 'delete from token where (instance_id, id) = (?1, ?2)';

/** Opens it. One that is open already can only come to lie elsewhere, be let go of, or drain. */
export const putScope = `
  insert into scope (instance_id, id, parent_id, owner_id, drains_id, node_id, item_index, item)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      on conflict (instance_id, id) do update
     set parent_id = ?3, owner_id = ?4, drains_id = ?5, item_index = ?7, item = ?8`;

export const closeScope = 'delete from scope where (instance_id, id) = (?1, ?2)';
export const closeVariables = 'delete from variable where (instance_id, scope_id) = (?1, ?2)';

/** The place stays that of the first write, as it does in an object. */
export const putVariable = `
  insert into variable (instance_id, scope_id, space, name, place, value)
  values (?1, ?2, ?3, ?4, ?5, ?6)
      on conflict (instance_id, scope_id, space, name) do update
     set value = ?6`;

export const putLatch = `
  insert into latch (instance_id, scope_id, node_id, group_id, fired)
  values (?1, ?2, ?3, ?4, ?5)
      on conflict (instance_id, scope_id, group_id, node_id) do update
     set fired = ?5`;

export const dropLatch = `
  delete from latch where (instance_id, scope_id, node_id, group_id) = (?1, ?2, ?3, ?4)`;

export const subscribe = `
  insert into subscription (instance_id, token_id, type, key)
  values (?1, ?2, ?3, ?4)
      on conflict do nothing`;

export const unsubscribe = 'delete from subscription where (instance_id, token_id) = (?1, ?2)';

export const putUndo = `
  insert or replace into undo (instance_id, id, saga_id, node_id, token_id, visit, result,
         item_index, item, in_doubt, status, by_id, fault)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)`;

export const dropUndo = 'delete from undo where (instance_id, id) = (?1, ?2)';

/** An ended instance leaves the finished steps of its chain, and what could not be undone. */
export const clearTokens = 'delete from token where instance_id = ?1 and seq is null';
export const clearScopes = 'delete from scope where instance_id = ?1';
export const clearVariables = 'delete from variable where instance_id = ?1';
export const clearLatches = 'delete from latch where instance_id = ?1';
export const clearSubscriptions = 'delete from subscription where instance_id = ?1';
export const clearUndos = `delete from undo where instance_id = ?1 and status <> 'failed'`;

export const putDelivery = 'insert into delivery (message_id, instance_id) values (?1, ?2)';

export const putHistory = `
  insert into history (instance_id, n, commit_id, at, changes)
  values (?1, ?2, ?3, ?4, ?5)`;

export const putSnapshot = 'insert into snapshot (instance_id, n, body) values (?1, ?2, ?3)';

/** No row: that commit did not come about, whoever made the version instead. */
export const findCommit = `
  select n from history where (instance_id, n, commit_id) = (?1, ?2, ?3)`;

/** A token that the commit which made version ?4 took. No row: the worker has lost it since. */
export const findTaken = `
  select instance_id, id, version, locked_by, handler, locked_at, locked_until,
         ?4 as instance_version
    from token
   where (instance_id, id, status, locked_by) = (?1, ?2, 'executing', ?3)`;

/**
 * Ready tokens of these handlers that are due: most urgent, then longest due. Not the lone ones.
 *
 * Each priority of each handler is one stretch of the index, in order of time, and `level` steps
 * from stretch to stretch. So a claim reads what it takes: neither what is not due yet nor what
 * stands behind is looked at, however much there is (0.4 ms for 50 out of 200,000).
 */
export const claimable = `
  with recursive level (handler, priority) as (
    select value,
           (select max(priority)
              from token
             where status = 'ready'
               and crashes < 2
               and handler = value)
      from json_each(?1)
     union
    select handler,
           (select max(token.priority)
              from token
             where token.status = 'ready'
               and token.crashes < 2
               and token.handler = level.handler
               and token.priority < level.priority)
      from level
     where priority is not null
  )
  select token.instance_id, token.id, token.version
    from level
   cross join token
   where level.priority is not null
     and (token.instance_id, token.id) in (
           select first.instance_id, first.id
             from token as first
            where first.status = 'ready'
              and first.crashes < 2
              and first.handler = level.handler
              and first.priority = level.priority
              and first.available_at <= ?2
            order by first.available_at
            limit ?3
         )
   order by token.priority desc, token.available_at, token.instance_id, token.id
   limit ?3`;

/** The first of the lone ones that are due (CRASHES_LONE). They are few: all of them are sorted. */
export const claimableLone = `
  select instance_id, id, version
    from token
   where status = 'ready'
     and crashes >= 2
     and handler in (select value from json_each(?1))
     and available_at <= ?2
   order by priority desc, available_at, instance_id, id
   limit 1`;

/** Since when the longest waiting of them has been due. Null: none is. */
export const loneSince = `
  select min((select min(available_at)
                from token
               where status = 'ready'
                 and crashes >= 2
                 and handler = value
                 and available_at <= ?2)) as at
    from json_each(?1)`;

/** The compare-and-set on one token. No row: it is not ready, not due, or moved on. */
export const claimOne = `
  update token
     set status = 'executing', version = version + 1,
         locked_by = ?4, locked_at = ?5, locked_until = ?5 + ?6
   where (instance_id, id, version, status) = (?1, ?2, ?3, 'ready')
     and handler is not null
     and available_at <= ?5
  returning instance_id, id, version, locked_by, handler, locked_at, locked_until,
         (select version from instance where id = token.instance_id) as instance_version`;

/** Never shortens a lease, and revives one that is over. No row: the claim was lost. */
export const renew = `
  update token
     set locked_until = max(locked_until, ?5 + ?6)
   where (instance_id, id, status, locked_by, version) = (?1, ?2, 'executing', ?3, ?4)`;

/** No row: the claim was lost, and is left to whoever has it. */
export const release = `
  update token
     set status = 'ready', version = version + 1,
         locked_by = null, locked_at = null, locked_until = null
   where (instance_id, id, status, locked_by, version) = (?1, ?2, 'executing', ?3, ?4)
     and locked_until >= ?5`;

export const expired = `
  select token.instance_id, token.id, token.version, token.locked_by, token.handler,
         token.locked_at, token.locked_until, instance.version as instance_version
    from token
    join instance on instance.id = token.instance_id
   where token.status = 'executing'
     and token.locked_until < ?1
   order by token.locked_until, token.instance_id, token.id
   limit ?2`;

export const due = `
  select instance_id, id
    from token
   where status = 'waiting'
     and wake_at <= ?1
   order by wake_at, instance_id, id
   limit ?2`;

/** The same steps from stretch to stretch as in claimable. Null: nothing will ever be due. */
export const nextDue = `
  with recursive level (handler, priority) as (
    select value,
           (select max(priority)
              from token
             where status = 'ready'
               and crashes < 2
               and handler = value)
      from json_each(?1)
     union
    select handler,
           (select max(token.priority)
              from token
             where token.status = 'ready'
               and token.crashes < 2
               and token.handler = level.handler
               and token.priority < level.priority)
      from level
     where priority is not null
  ),
  moment (at) as (
    select (select min(available_at)
              from token
             where token.status = 'ready'
               and token.crashes < 2
               and token.handler = level.handler
               and token.priority = level.priority)
      from level
     where priority is not null
     union all
    select (select min(available_at)
              from token
             where status = 'ready'
               and crashes >= 2
               and handler = value)
      from json_each(?1)
     union all
    select min(wake_at) from token where status = 'waiting' and wake_at is not null
     union all
    select min(locked_until) + 1 from token where status = 'executing'
  )
  select min(at) as at from moment`;

/** No row changed: the id is known. */
export const publish = `
  insert into inbox (id, type, key, data, status, published_at, expires_at)
  values (?1, ?2, ?3, ?4, 'pending', ?5, ?5 + ?6)
      on conflict (id) do nothing`;

/** Messages that somebody waits for, oldest first. Left to itself, SQLite walks all there are. */
export const awaited = `
  select id
    from inbox indexed by inbox_pending
   where status = 'pending'
     and expires_at >= ?1
     and exists (select type from subscription as s where (s.type, s.key) = (inbox.type, inbox.key))
   order by n`;

/** One token of each instance: an instance has a message once, however many of its tokens wait. */
export const deliverable = `
  select inbox.id, inbox.type, inbox.key, inbox.data,
         subscription.instance_id, min(subscription.token_id) as token_id
    from inbox
   cross join subscription
   where inbox.id = ?1
     and inbox.status = 'pending'
     and inbox.expires_at >= ?2
     and (subscription.type, subscription.key) = (inbox.type, inbox.key)
     and not exists (select message_id from delivery as d
                      where (message_id, d.instance_id) = (inbox.id, subscription.instance_id))
   group by subscription.instance_id
   order by subscription.instance_id
   limit ?3`;

/** No row changed: nobody has had the message, or there is none. */
export const consume = `
  update inbox
     set status = 'consumed'
   where id = ?1
     and exists (select message_id from delivery where message_id = ?1)`;

/** The same id is the same post, and on its way already. */
export const putPost = `
  insert into outbox (id, instance_id, body)
  values (?1, ?2, ?3)
      on conflict (id) do nothing`;

/** A queue, read from its front; only what the instances left out have in it is passed over. */
export const posts = `
  select id, instance_id, body
    from outbox
   where instance_id not in (select value from json_each(?2))
   order by n
   limit ?1`;

/** No row: it was carried before. */
export const carried = 'delete from outbox where id in (select value from json_each(?1))';

export const putDropped = `
  insert into dropped (instance_id, token_id, version, worker, reason, at)
  values (?1, ?2, ?3, ?4, ?5, ?6)`;

export const droppedNotes = `
  select instance_id, token_id, version, worker, reason, at
    from dropped
   where instance_id = ?1
   order by n`;

export const historyAfter = `
  select n, commit_id, at, changes
    from history
   where instance_id = ?1
     and n > ?2
   order by n
   limit ?3`;

/** No row: the instance is younger than its first snapshot. */
export const snapshotAt = `
  select body
    from snapshot
   where instance_id = ?1
     and n <= ?2
   order by n desc
   limit 1`;

export const scan = 'select id from instance where id > ?1 order by id limit ?2';

/** What only this store has a use for. */
export const own = {
  setWal: 'pragma journal_mode = wal',
  setFull: 'pragma synchronous = full',
  setNormal: 'pragma synchronous = normal',
  /** Only macOS knows the difference: there a plain fsync leaves the data in the drive's cache. */
  setFullFsync: 'pragma fullfsync = on',
  journalMode: 'pragma journal_mode',
  synchronous: 'pragma synchronous',
  /** Another number than last time: another connection has written. */
  dataVersion: 'pragma data_version',
  /** Every write adds one to the version and takes the token from whoever had it. */
  alterToken: `
  update token
     set scope_id = ?3, node_id = ?4, via = ?5, handler = ?6, seq = ?7, status = ?8, mode = ?9,
         groups = ?10, visit = ?11, attempts = ?12, crashes = ?13, max_attempts = ?14,
         priority = ?15, available_at = ?16, wait = ?17, wake_at = ?18, wake = ?19,
         last_error = ?20, hops = ?21, created_at = ?22, updated_at = ?23,
         version = version + 1 + (?24 is not null),
         locked_by = ?24, locked_at = ?25, locked_until = ?25 + ?26
   where (instance_id, id) = (?1, ?2)
  returning version`,
};
