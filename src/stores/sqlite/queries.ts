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
  insert into plan (hash, name, version, body, links, saved_at)
  values (?1, ?2, ?3, ?4, ?5, ?6)
      on conflict (hash) do nothing`;

/** Of each version the one that was saved last comes last. */
export const plansNow = `
  select hash, name, version from plan where name > '' order by name, version, saved_at`;

/** No row: nobody saved that plan. */
export const findPlan = 'select hash, name, version, body from plan where hash = ?1';

/** Every name is greater than none: so only the chains are walked, by their index. */
export const linksOf = `
  select distinct links from plan where name > '' and links is not null`;

/** No row: there is no such instance. */
export const findInstance = `
  select id, plan_hash, flow, flow_version, status, version, counter, key, tenant, priority,
         body as input, output, fault, stalled, outcome, pauses, parent_instance_id,
         parent_token_id, created_at, updated_at, ended_at
    from instance
    left join instance_input on instance_id = id
   where id = ?1`;

/** Those that are held as they would be if they were not. */
export const tokensOf = `
  select id, scope_id, node_id, via, coalesce(handler, held_handler) as handler, seq, status, mode,
         groups, visit, attempts, crashes, max_attempts,
         coalesce(own_priority, priority) as priority, lanes,
         coalesce(due_at, available_at) as available_at, wait,
         coalesce(wake_at, held_wake_at) as wake_at, wake, last_error, hops, created_at, updated_at
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
  select message_id from delivery where (message_id, instance_id, heard) = (?1, ?2, ?3)`;

export const putInstance = `
  insert into instance (id, plan_hash, flow, flow_version, status, version, counter, priority,
         output, fault, stalled, updated_at, ended_at, outcome, key, tenant, created_at,
         parent_instance_id, parent_token_id)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)`;

/**
 * Its flow (?3), its key, its input and who called it never change; the guard has seen the version.
 * (Were the flow among what is set, its index would be written each time.)
 */
export const updateInstance = `
  update instance
     set plan_hash = ?2, flow_version = ?4, status = ?5, version = ?6, counter = ?7, priority = ?8,
         output = ?9, fault = ?10, stalled = ?11, updated_at = ?12, ended_at = ?13, outcome = ?14
   where (id, version) = (?1, ?6 - 1)`;

export const putPauses = 'update instance set pauses = ?2, halted = ?3 where id = ?1';
export const putInput = 'insert into instance_input (instance_id, body) values (?1, ?2)';

/** One that is restored may have it already: the guard has seen that nobody else has. */
export const putKey = `
  insert into business_key (flow, key, instance_id)
  values (?1, ?2, ?3)
      on conflict (flow, key) do nothing`;

/** No row: another instance has the key by now. */
export const dropKey = 'delete from business_key where (flow, key, instance_id) = (?1, ?2, ?3)';

/**
 * A new token: with its first version, or one more if the same worker goes on with it, and then it
 * comes as executing, with worker, now and lease. No row changed: it is not new, and is altered
 * instead. (One statement for both would have to return the version, and that alone takes 2 of 8
 * µs.)
 */
export const putToken = `
  insert into token (instance_id, id, scope_id, node_id, via, handler, seq, status, mode, groups,
         visit, attempts, crashes, max_attempts, priority, available_at, wait, wake_at, wake,
         last_error, hops, created_at, updated_at, version, locked_by, locked_at, locked_until)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,
         ?20, ?21, ?22, ?23, ?27 + (?24 is not null), ?24, ?25, ?25 + ?26)
      on conflict (instance_id, id) do nothing`;

export const endToken = 'delete from token where (instance_id, id) = (?1, ?2)';

/** Opens it. One that is open already can come to lie elsewhere, be let go of, or drain. */
export const putScope = `
  insert into scope (instance_id, id, parent_id, owner_id, drains_id, node_id, item_index, item)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      on conflict (instance_id, id) do update
     set parent_id = ?3, owner_id = ?4, drains_id = ?5, node_id = ?6, item_index = ?7, item = ?8`;

export const closeScope = 'delete from scope where (instance_id, id) = (?1, ?2)';
export const closeVariables = 'delete from variable where (instance_id, scope_id) = (?1, ?2)';

export const addVariable = `
  insert into variable (instance_id, scope_id, space, name, place, value)
  values (?1, ?2, ?3, ?4, ?5, ?6)`;

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
  insert into subscription (instance_id, token_id, type, key, since, listens)
  values (?1, ?2, ?3, ?4, ?5, ?6)
      on conflict do nothing`;

export const unsubscribe = 'delete from subscription where (instance_id, token_id) = (?1, ?2)';

/** One that listens is busy from now on, or no longer. */
export const turn = 'update subscription set listens = ?3 where (instance_id, token_id) = (?1, ?2)';

/** What was published since someone began to listen, and before that was known. */
export const catchUp = `
  insert into unheard (instance_id, n, message_id)
  select ?1, n, id
    from inbox indexed by inbox_type
   where status = 'pending'
     and type = ?2
     and published_at >= ?4
     and (instance_id is null and (key = ?3 or ?3 = '$any') or instance_id = ?1)
     and (tenant is null or tenant = (select i.tenant from instance as i where i.id = ?1))
     and not exists (select at from delivery as d
                      where (d.message_id, d.instance_id, d.heard) = (inbox.id, ?1, 1))
   union
  select ?1, n, id
    from inbox indexed by inbox_pending
   where ?2 = '$any'
     and status = 'pending'
     and expires_at >= ?4
     and published_at >= ?4
     and (instance_id is null and (key = ?3 or ?3 = '$any') or instance_id = ?1)
     and (tenant is null or tenant = (select i.tenant from instance as i where i.id = ?1))
     and not exists (select at from delivery as d
                      where (d.message_id, d.instance_id, d.heard) = (inbox.id, ?1, 1))
      on conflict do nothing`;

/** If nobody listens there any more, nothing is to be heard. */
export const hush = `
  delete from unheard
   where instance_id = ?1
     and not exists (select token_id from subscription where instance_id = ?1 and listens > 0)`;

export const putTask = `
  insert or replace into task (instance_id, token_id, node_id, kind, flow, tenant, assignee,
         priority, due_at, follow_up_at, created_at)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)`;

export const closeTask = 'delete from task where (instance_id, token_id) = (?1, ?2)';

export const listTask = `
  insert into task_list (instance_id, token_id, list, name, by_created, by_due, by_priority)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7)`;

export const unlistTask = 'delete from task_list where (instance_id, token_id) = (?1, ?2)';

export const putUndo = `
  insert or replace into undo (instance_id, id, saga_id, node_id, token_id, visit, result,
         item_index, item, in_doubt, status, by_id, fault)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)`;

export const dropUndo = 'delete from undo where (instance_id, id) = (?1, ?2)';

export const putTag = `
  insert or replace into tag (instance_id, name, type, value, number)
  values (?1, ?2, ?3, ?4, ?5)`;

export const dropTag = 'delete from tag where (instance_id, name) = (?1, ?2)';

/** An ended instance leaves the finished steps of its chain, and what could not be undone. */
export const clearTokens = 'delete from token where instance_id = ?1 and seq is null';
export const clearScopes = 'delete from scope where instance_id = ?1';
export const clearVariables = 'delete from variable where instance_id = ?1';
export const clearLatches = 'delete from latch where instance_id = ?1';
export const clearSubscriptions = 'delete from subscription where instance_id = ?1';
export const clearTasks = 'delete from task where instance_id = ?1';
export const clearTaskLists = 'delete from task_list where instance_id = ?1';
export const clearUndos = `delete from undo where instance_id = ?1 and status <> 'failed'`;

/** Before the tokens of the commit that resumes are written: what they are then, they stay. */
export const freeTokens = `
  update token
     set handler = coalesce(handler, held_handler), held_handler = null,
         wake_at = coalesce(wake_at, held_wake_at), held_wake_at = null
   where instance_id = ?1
     and (held_handler is not null or held_wake_at is not null)`;

export const putDelivery = `
  insert into delivery (message_id, instance_id, at, heard)
  values (?1, ?2, ?3, ?4)`;

export const dropUnheard = 'delete from unheard where (instance_id, message_id) = (?1, ?2)';

export const putHistory = `
  insert into history (instance_id, n, commit_id, at, changes)
  values (?1, ?2, ?3, ?4, ?5)`;

export const putSnapshot = 'insert into snapshot (instance_id, n, body) values (?1, ?2, ?3)';

/**
 * Its instance is suspended, and it waits for nothing meanwhile. What is at work goes on to the end
 * of its step, and is at work until then.
 */
export const sleepLanes = `
  update lane_token
     set state = 'asleep', begun = 0, passed_at = null
   where instance_id = ?1
     and state not in ('asleep', 'gone')
     and not (state = 'passed'
              and exists (select id
                            from token
                           where (token.instance_id, token.id, token.status)
                                 = (lane_token.instance_id, lane_token.token_id, 'executing')))`;

/**
 * Puts aside what the indexes of work and timers go by, and touches nothing else: who has claimed
 * one keeps it.
 */
export const holdTokens = `
  update token
     set held_handler = coalesce(handler, held_handler), handler = null,
         held_wake_at = coalesce(wake_at, held_wake_at), wake_at = null
   where instance_id = ?1
     and status in ('ready', 'executing', 'waiting')
     and (handler is not null or wake_at is not null)`;

/** One that was just written, as it is now: what was put aside before is forgotten. */
export const holdToken = `
  update token
     set held_handler = ?3, handler = null, held_wake_at = ?4, wake_at = null
   where (instance_id, id) = (?1, ?2)`;

/** Somebody is to look at the lanes of a token, */
export const tellLanes = `
  insert into lane_news (lane)
  select lane from lane_token where (instance_id, token_id) = (?1, ?2)`;

/** It has ended, or is written anew: whoever looks at its lanes finds one less. */
export const leaveLanes = `
  update lane_token
     set owed = owed + (state = 'passed' and begun = 0), owed_at = max(coalesce(owed_at, 0), ?3),
         state = 'gone', begun = 0, passed_at = null
   where (instance_id, token_id) = (?1, ?2)
     and state <> 'gone'`;

/** What is put aside of it while it waits, and the limits it is under. */
export const putLanes = `
  update token
     set held_handler = ?3, lanes = ?4, due_at = null, own_priority = null
   where (instance_id, id) = (?1, ?2)`;

/** What it owes it owes to the lane it was in. */
export const enterLane = `
  insert into lane_token (instance_id, token_id, lane, ordinal, lanes, state, handler, priority,
         since, available_at, begun, owed)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, 0)
      on conflict (instance_id, token_id, ordinal) do update
     set lane = ?3, lanes = ?5, state = ?6, handler = ?7, priority = ?8, since = ?9,
         available_at = ?10, begun = 0, passed_at = null,
         owed = case when lane = ?3 then owed else 0 end,
         owed_at = case when lane = ?3 then owed_at end`;

/** at one to which somebody came, who knows its numbers, */
export const tellLane = `
  insert into lane_news (lane, version, concurrency, rate_max, rate_per_ms)
  values (?1, ?2, ?3, ?4, ?5)`;

/** Its instance goes on. */
export const wakeLanes = `
  update lane_token
     set state = case ordinal when 0 then 'waiting' else 'aside' end
   where instance_id = ?1
     and state = 'asleep'`;

/** and at all of an instance's. */
export const tellAll = `
  insert into lane_news (lane) select distinct lane from lane_token where instance_id = ?1`;

/** Nobody else writes meanwhile. */
export const lockTokens = `
  select id from token where instance_id = ?1 limit 1`;

/** Lanes of what nobody wants any more and has not begun. */
export const tellDrained = `
  insert into lane_news (lane)
  select distinct lane
    from lane_token
   where (instance_id, token_id) = (?1, ?2)
     and state in ('waiting', 'aside', 'later', 'shelved')`;

export const leaveDrained = `
  update lane_token
     set state = 'gone', begun = 0, passed_at = null
   where (instance_id, token_id) = (?1, ?2)
     and state in ('waiting', 'aside', 'later', 'shelved')`;

export const freeDrained = `
  update token
     set handler = held_handler, held_handler = null
   where (instance_id, id, status) = (?1, ?2, 'ready')
     and handler is null
     and held_handler is not null`;

/** Everything was set free; whoever waits in a lane is held again. */
export const holdWaiting = `
  update token
     set held_handler = coalesce(handler, held_handler), handler = null
   where instance_id = ?1
     and status = 'ready'
     and handler is not null
     and exists (select lane
                   from lane_token
                  where (lane_token.instance_id, lane_token.token_id)
                        = (token.instance_id, token.id)
                    and lane_token.state in ('waiting', 'aside', 'later', 'shelved'))`;

/** No row: that commit did not come about, whoever made the version instead. */
export const findCommit = `
  select n from history where (instance_id, n, commit_id) = (?1, ?2, ?3)`;

/** A token that the commit which made version ?4 took. No row: the worker has lost it since. */
export const findTaken = `
  select instance_id, id, version, locked_by, coalesce(handler, held_handler) as handler, locked_at,
         locked_until, ?4 as instance_version
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

/** The same for a tenant (?4): what others have that is due is passed over. */
export const claimableOf = `
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
              and ?4 = (select i.tenant from instance as i where i.id = first.instance_id)
            order by first.available_at
            limit ?3
         )
   order by token.priority desc, token.available_at, token.instance_id, token.id
   limit ?3`;

export const claimableLoneOf = `
  select token.instance_id, token.id, token.version
    from token
    join instance as i on i.id = token.instance_id
   where token.status = 'ready'
     and token.crashes >= 2
     and token.handler in (select value from json_each(?1))
     and token.available_at <= ?2
     and i.tenant = ?3
   order by token.priority desc, token.available_at, token.instance_id, token.id
   limit 1`;

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

/** No row: the claim was lost, and is left to whoever has it. Under a limit it is held again. */
export const release = `
  update token
     set status = 'ready', version = version + 1,
         held_handler = case when lanes is null then held_handler
                             else coalesce(handler, held_handler) end,
         handler = case when lanes is null then handler end,
         locked_by = null, locked_at = null, locked_until = null
   where (instance_id, id, status, locked_by, version) = (?1, ?2, 'executing', ?3, ?4)
     and locked_until >= ?5`;

export const expired = `
  select token.instance_id, token.id, token.version, token.locked_by,
         coalesce(token.handler, token.held_handler) as handler, token.locked_at,
         token.locked_until, instance.version as instance_version
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

/**
 * Of each kind the next moment at which looking for it may find something (null: never), and
 * whether there is something to carry or to bring. Work takes the same steps from stretch to
 * stretch as in claimable; of everything else the first in its index is read. Only what messages
 * cost (the last column, if it is asked for) grows with how many are kept.
 */
export const outlook = `
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
  letters (at) as (
    select min(first.available_at)
      from letter as first
     where first.status = 'ready'
       and first.available_at >= 0
       and (?5 is null or first.type in (select value from json_each(?5)))
       and not exists (select n from letter as before
                        where before.instance_id = first.instance_id
                          and before.n < first.n
                          and before.status <> 'dead')
       and not exists (select n from letter as other
                        where other.instance_id = first.instance_id
                          and other.status = 'sending')
     union all
    select min(locked_until) + 1 from letter where status = 'sending'
  )
  select (select min((select min(available_at)
                        from token
                       where token.status = 'ready'
                         and token.crashes < 2
                         and token.handler = level.handler
                         and token.priority = level.priority))
            from level
           where priority is not null) as work,
         (select min((select min(available_at)
                        from token
                       where status = 'ready'
                         and crashes >= 2
                         and handler = value))
            from json_each(?1)) as lone,
         (select min(wake_at)
            from token
           where status = 'waiting'
             and wake_at is not null) as timers,
         (select min(locked_until) + 1
            from token
           where status = 'executing') as leases,
         case when ?4 then (select min(at) from letters) end as letters,
         (select min((select min(next_at)
                        from schedule
                       where flow = value
                         and status = 'active'
                         and next_at is not null
                         and name not in (select value from json_each(?3))))
            from json_each(?2)) as schedules,
         exists (select flow from halt)
           or exists (select id from instance where halted is not null and id > '') as halts,
         (select min(at)
            from (select ?8 as at
                   where exists (select n from lane_news where n > 0)
                      or exists (select token_id
                                   from lane_token
                                  where state = 'shelved'
                                    and handler in (select value from json_each(?1)))
                   union all
                  select min(available_at) from lane_token where state = 'later'
                   union all
                  select min(look_at) from lane where look_at is not null)) as lanes,
         exists (select id
                   from outbox
                  where instance_id not in (select value from json_each(?6))) as posts,
         case when ?7 then exists (
           select id
             from inbox indexed by inbox_pending
            where status = 'pending'
              and expires_at >= ?8
              and (exists (select s.token_id
                             from subscription as s
                             join instance as i on i.id = s.instance_id
                            where inbox.instance_id is null
                              and s.listens = 0
                              and (s.type, s.key) = (inbox.type, inbox.key)
                              and i.status <> 'suspended'
                              and (inbox.tenant is null or inbox.tenant = i.tenant)
                              and not exists (select d.at
                                                from delivery as d
                                               where d.message_id = inbox.id
                                                 and d.heard = 0
                                                 and (d.at < s.since
                                                      or d.instance_id = s.instance_id)))
                   or exists (select s.token_id
                                from subscription as s
                                join instance as i on i.id = s.instance_id
                               where s.instance_id = inbox.instance_id
                                 and s.listens = 0
                                 and s.type in (inbox.type, '$any')
                                 and i.status <> 'suspended'
                                 and (inbox.tenant is null or inbox.tenant = i.tenant)
                                 and not exists (select d.at from delivery as d
                                                  where d.message_id = inbox.id
                                                    and d.heard = 0))))
           or exists (
             select s.token_id
               from subscription as s
               join instance as i on i.id = s.instance_id
              where s.instance_id > ''
                and s.listens = 0
                and (s.type = '$any' or s.key = '$any')
                and i.status <> 'suspended'
                and exists (select m.id
                              from inbox as m indexed by inbox_pending
                             where m.status = 'pending'
                               and m.expires_at >= ?8
                               and m.instance_id is null
                               and s.type in (m.type, '$any')
                               and s.key in (m.key, '$any')
                               and (m.tenant is null or m.tenant = i.tenant)
                               and not exists (select d.at
                                                 from delivery as d
                                                where d.message_id = m.id
                                                  and d.heard = 0
                                                  and (d.at < s.since
                                                       or d.instance_id = s.instance_id))))
           or exists (
             with recursive hearer (instance_id) as (
               select min(instance_id) from unheard
                union all
               select (select min(h.instance_id) from unheard as h
                        where h.instance_id > hearer.instance_id)
                 from hearer
                where hearer.instance_id is not null
             )
             select i.id
               from hearer
               join instance as i on i.id = hearer.instance_id
              where i.status <> 'suspended'
                and not exists (select token_id from subscription
                                 where instance_id = hearer.instance_id and listens = 2)
                and exists (select h.n
                              from unheard as h
                              join inbox as m on m.id = h.message_id
                             where h.instance_id = hearer.instance_id
                               and m.expires_at >= ?8
                               and exists (select s.token_id
                                             from subscription as s
                                            where s.instance_id = h.instance_id
                                              and s.listens = 1
                                              and s.since <= m.published_at
                                              and s.type in (m.type, '$any')
                                              and (s.key in (m.key, '$any')
                                                   or m.instance_id is not null))))
         end as messages`;

/** What has come to lanes and left them since somebody looked, oldest first. */
export const laneNews = `
  select n, lane, version, concurrency, rate_max, rate_per_ms
    from lane_news
   where n > 0
   order by n
   limit ?1`;

export const dropNews = 'delete from lane_news where n <= ?1';

/** All the places of tokens whose moment has come, */
export const duePlaces = `
  select instance_id, token_id, lane, ordinal, lanes, state, handler, priority, since,
         available_at, begun, owed, owed_at
    from lane_token
   where state <> 'gone'
     and (instance_id, token_id) in (
           select instance_id, token_id
             from lane_token
            where state = 'later'
              and available_at <= ?1
            order by available_at
            limit ?2
         )`;

/** and of those that somebody has a handler for after all. */
export const servedPlaces = `
  select instance_id, token_id, lane, ordinal, lanes, state, handler, priority, since,
         available_at, begun, owed, owed_at
    from lane_token
   where state <> 'gone'
     and (instance_id, token_id) in (
           select instance_id, token_id
             from lane_token
            where state = 'shelved'
              and handler in (select value from json_each(?1))
            limit ?2
         )`;

export const dueLanes = `
  select name from lane where look_at <= ?1 order by look_at limit ?2`;

/** No row: nobody has come there. */
export const findLane = `
  select version, concurrency, rate_max, rate_per_ms, log, look_at, turn from lane where name = ?1`;

export const laneFacts = `
  select (select count(*) from lane_token where (lane, state) = (?1, 'passed')) as at_work,
         exists (select token_id
                   from lane_token
                  where (lane, state) = (?1, 'waiting')) as waiting`;

/** Shares of lanes in which somebody waits, after one name and up to another. */
export const sharesIn = `
  select name
    from lane
   where name > ?1
     and name <= ?2
     and exists (select token_id
                   from lane_token
                  where (lane_token.lane, state) = (lane.name, 'waiting'))
   order by name
   limit ?3`;

/** Those that were let through and had not begun, with what has become of them. */
export const standingIn = `
  select p.instance_id, p.token_id, p.lane, p.ordinal, p.lanes, p.state, p.handler, p.priority,
         p.since, p.available_at, p.begun, p.owed, p.owed_at, t.status, t.locked_at
    from lane_token as p
    left join token as t
      on (t.instance_id, t.id) = (p.instance_id, p.token_id)
     and (t.status = 'executing' or t.status = 'ready' and t.handler is not null)
   where (p.lane, p.state, p.begun) = (?1, 'passed', 0)`;

/** Those that have begun, and nobody has counted that. */
export const owingIn = `
  select instance_id, token_id, lane, ordinal, lanes, state, handler, priority, since,
         available_at, begun, owed, owed_at
    from lane_token
   where lane = ?1
     and owed > 0`;

/**
 * The first who wait in a lane after one of them, with all the places each has. Of the first ?7 who
 * need a handler of ?8 are left out.
 */
export const queueOf = `
  select p.instance_id, p.token_id, p.lane, p.ordinal, p.lanes, p.state, p.handler, p.priority,
         p.since, p.available_at, p.begun, p.owed, p.owed_at,
         exists (select t.id
                   from token as t
                  where (t.instance_id, t.id) = (p.instance_id, p.token_id)
                    and t.status = 'ready'
                    and t.handler is null
                    and t.held_handler is not null) as is_held
    from lane_token as p
   where p.state <> 'gone'
     and (p.instance_id, p.token_id) in (
           select instance_id, token_id
             from (select instance_id, token_id, priority, since, handler
                     from lane_token
                    where (lane, state) = (?1, 'waiting')
                      and (priority < ?2
                           or priority = ?2 and (since, instance_id, token_id) > (?3, ?4, ?5))
                    order by priority desc, since, instance_id, token_id
                    limit ?7)
            where handler not in (select value from json_each(?8))
            order by priority desc, since, instance_id, token_id
            limit ?6
         )`;

/** Let through before that moment, and claimed by nobody: all the places of each. */
export const unservedIn = `
  select instance_id, token_id, lane, ordinal, lanes, state, handler, priority, since,
         available_at, begun, owed, owed_at
    from lane_token
   where state <> 'gone'
     and (instance_id, token_id) in (
           select p.instance_id, p.token_id
             from lane_token as p
             join token as t on (t.instance_id, t.id) = (p.instance_id, p.token_id)
            where (p.lane, p.state) = (?1, 'passed')
              and p.passed_at <= ?2
              and t.status = 'ready'
              and t.handler is not null
            limit ?3
         )`;

/**
 * From now on it can be claimed. One of a tenant's has the priority of all such, and stands where
 * it is put: how urgent it is for its tenant is no reason to others. No row: it is not held.
 */
export const letToken = `
  update token
     set handler = held_handler, held_handler = null,
         due_at = case when ?3 is null then due_at else coalesce(due_at, available_at) end,
         available_at = coalesce(?3, available_at),
         own_priority = case when ?3 is null then own_priority
                             else coalesce(own_priority, priority) end,
         priority = case when ?3 is null then priority else 0 end
   where (instance_id, id, status) = (?1, ?2, 'ready')
     and handler is null
     and held_handler is not null`;

/** It cannot any more. No row: somebody has it. */
export const shelveToken = `
  update token
     set held_handler = handler, handler = null
   where (instance_id, id, status) = (?1, ?2, 'ready')
     and handler is not null`;

export const movePlace = `
  update lane_token
     set state = ?4, begun = ?5, passed_at = case ?4 when 'passed' then coalesce(passed_at, ?6) end
   where (instance_id, token_id, ordinal) = (?1, ?2, ?3)`;

export const dropPlace = `
  delete from lane_token where (instance_id, token_id, ordinal) = (?1, ?2, ?3)`;

export const beginPlace = `
  update lane_token
     set begun = 1
   where (instance_id, token_id, ordinal, state, begun) = (?1, ?2, ?3, 'passed', 0)`;

/** It was counted. */
export const settlePlace = `
  update lane_token
     set owed = 0, owed_at = null
   where (instance_id, token_id, ordinal) = (?1, ?2, ?3)
     and owed > 0`;

export const endPlace = `
  delete from lane_token where (instance_id, token_id, ordinal, state) = (?1, ?2, ?3, 'passed')`;

export const shelveWaiting = `
  update lane_token
     set state = 'shelved'
   where (instance_id, token_id, ordinal) in (
           select instance_id, token_id, ordinal
             from lane_token
            where (lane, state, handler) = (?1, 'waiting', ?2)
            limit ?3
         )`;

export const dropGone = `
  delete from lane_token where (lane, state, owed) = (?1, 'gone', 0)`;

export const putLane = `
  insert or replace into lane (name, version, concurrency, rate_max, rate_per_ms, log, look_at,
         turn)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`;

/** Nobody is in it, and nothing of it counts any more. */
export const dropIdleLane = `
  delete from lane
   where name = ?1
     and look_at is null
     and not exists (select token_id from lane_token where lane_token.lane = ?1)`;

/** Those who wait in its shares wait in the lane. */
export const lanesAfter = `
  select name, concurrency, rate_max, rate_per_ms,
         (select count(*) from lane_token where (lane, state) = (name, 'passed')) as at_work,
         (select count(*) from lane_token where (lane, state) = (name, 'waiting'))
         + (select count(*)
              from lane_token
             where lane >= name || char(31)
               and lane < name || ' '
               and state = 'waiting') as waiting
    from lane
   where name > ?1
     and instr(name, char(31)) = 0
   order by name
   limit ?2`;

/** Those of an instance that wait, and how many are before them. */
export const heldIn = `
  select token_id, lane,
         (select count(*)
            from lane_token as other
           where (other.lane, other.state) = (own.lane, 'waiting')
             and (other.priority > own.priority
                  or other.priority = own.priority
                     and (other.since, other.instance_id, other.token_id)
                         < (own.since, own.instance_id, own.token_id))) as ahead
    from lane_token as own
   where instance_id = ?1
     and state in ('waiting', 'later', 'shelved')
   order by token_id`;

/** No row changed: the id is known. Whoever listens is told by own.tell. */
export const publish = `
  insert into inbox (id, type, key, instance_id, data, tenant, trace, status, published_at,
         expires_at)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'pending', ?8, ?8 + ?9)
      on conflict (id) do nothing`;

export const knows = `
  select 1 as is_known
    from inbox
   where id = ?1`;

/**
 * Messages that somebody waits for who may have them, or that come next where somebody listens,
 * oldest first. Left to itself, SQLite walks all there are.
 */
export const awaited = `
  with recursive hearer (instance_id) as (
    select min(instance_id) from unheard
     union all
    select (select min(h.instance_id) from unheard as h where h.instance_id > hearer.instance_id)
      from hearer
     where hearer.instance_id is not null
  )
  select n, id
    from inbox indexed by inbox_pending
   where status = 'pending'
     and expires_at >= ?1
     and (exists (select s.token_id
                    from subscription as s
                    join instance as i on i.id = s.instance_id
                   where inbox.instance_id is null
                     and s.listens = 0
                     and (s.type, s.key) = (inbox.type, inbox.key)
                     and i.status <> 'suspended'
                     and (inbox.tenant is null or inbox.tenant = i.tenant)
                     and not exists (select d.at
                                       from delivery as d
                                      where d.message_id = inbox.id
                                        and d.heard = 0
                                        and (d.at < s.since or d.instance_id = s.instance_id)))
          or exists (select s.token_id
                       from subscription as s
                       join instance as i on i.id = s.instance_id
                      where s.instance_id = inbox.instance_id
                        and s.listens = 0
                        and s.type in (inbox.type, '$any')
                        and i.status <> 'suspended'
                        and (inbox.tenant is null or inbox.tenant = i.tenant)
                        and not exists (select d.at from delivery as d
                                         where d.message_id = inbox.id
                                           and d.heard = 0)))
   union
  select m.n, m.id
    from subscription as s
    join instance as i on i.id = s.instance_id
   cross join inbox as m indexed by inbox_pending
   where s.instance_id > ''
     and s.listens = 0
     and (s.type = '$any' or s.key = '$any')
     and i.status <> 'suspended'
     and m.status = 'pending'
     and m.expires_at >= ?1
     and m.instance_id is null
     and s.type in (m.type, '$any')
     and s.key in (m.key, '$any')
     and (m.tenant is null or m.tenant = i.tenant)
     and not exists (select d.at
                       from delivery as d
                      where d.message_id = m.id
                        and d.heard = 0
                        and (d.at < s.since or d.instance_id = s.instance_id))
   union
  select m.n, m.id
    from hearer
    join instance as i on i.id = hearer.instance_id
    join inbox as m
      on m.n = (select h.n
                  from unheard as h
                  join inbox as o on o.id = h.message_id
                 where h.instance_id = hearer.instance_id
                   and o.expires_at >= ?1
                   and exists (select s.token_id
                                 from subscription as s
                                where s.instance_id = h.instance_id
                                  and s.listens = 1
                                  and s.since <= o.published_at
                                  and s.type in (o.type, '$any')
                                  and (s.key in (o.key, '$any') or o.instance_id is not null))
                 order by h.n
                 limit 1)
   where i.status <> 'suspended'
     and not exists (select token_id from subscription
                      where instance_id = hearer.instance_id and listens = 2)
   order by n`;

/**
 * One token of each instance: an instance has a message once, however many of its tokens wait, and
 * once for all that listen, whose row says when it was published. When somebody first had it is
 * asked once, and not for each who waits.
 */
export const deliverable = `
  with told (instance_id, token_id, published) as (
    select s.instance_id, s.token_id, null
      from inbox
     cross join subscription as s
     where inbox.id = ?1
       and inbox.status = 'pending'
       and (s.listens = 0 and inbox.instance_id is null
            and s.type in (inbox.type, '$any') and s.key in (inbox.key, '$any')
            or s.listens = 0 and s.instance_id = inbox.instance_id
            and s.type in (inbox.type, '$any'))
       and s.since <= ifnull((select min(at) from delivery where message_id = ?1 and heard = 0),
                             s.since)
       and not exists (select message_id from delivery as d
                        where (message_id, d.instance_id, heard) = (inbox.id, s.instance_id, 0))
     union all
    select h.instance_id, s.token_id, m.published_at
      from unheard as h
     cross join inbox as m
     cross join subscription as s
     where h.message_id = ?1
       and m.id = ?1
       and s.instance_id = h.instance_id
       and s.listens = 1
       and s.since <= m.published_at
       and s.type in (m.type, '$any')
       and (s.key in (m.key, '$any') or m.instance_id is not null)
       and not exists (select token_id from subscription
                        where instance_id = h.instance_id and listens = 2)
       and not exists (select e.n
                         from unheard as e
                         join inbox as o on o.id = e.message_id
                        where e.instance_id = h.instance_id
                          and e.n < h.n
                          and o.expires_at >= ?2
                          and exists (select t.token_id
                                        from subscription as t
                                       where t.instance_id = e.instance_id
                                         and t.listens = 1
                                         and t.since <= o.published_at
                                         and t.type in (o.type, '$any')
                                         and (t.key in (o.key, '$any')
                                              or o.instance_id is not null)))
  )
  select inbox.id, inbox.type, inbox.key, inbox.instance_id as target, inbox.tenant, inbox.trace,
         inbox.data, told.instance_id, max(told.published) as published,
         ifnull(min(case when told.published is null then told.token_id end), min(told.token_id))
         as token_id
    from told
   cross join instance as i
   cross join inbox
   where i.id = told.instance_id
     and i.status <> 'suspended'
     and inbox.id = ?1
     and inbox.expires_at >= ?2
     and (inbox.tenant is null or inbox.tenant = i.tenant)
   group by told.instance_id
   order by told.instance_id
   limit ?3`;

/** What this token waits for and is there: the oldest that its instance may have. */
export const deliverableTo = `
  with asked (type, key, since, listens) as (
    select type, key, since, listens from subscription where (instance_id, token_id) = (?1, ?2)
  ),
  met (n, published) as (
    select inbox.n, null
      from asked as s
     cross join inbox indexed by inbox_topic
     where s.listens = 0
       and '$any' not in (s.type, s.key)
       and inbox.status = 'pending'
       and inbox.type = s.type
       and (inbox.key = s.key and inbox.instance_id is null
            or inbox.key = '' and inbox.instance_id = ?1)
       and inbox.expires_at >= ?3
       and not exists (select d.at
                         from delivery as d
                        where d.message_id = inbox.id
                          and d.heard = 0
                          and (d.at < s.since or d.instance_id = ?1))
     union all
    select inbox.n, null
      from asked as s
     cross join inbox indexed by inbox_pending
     where s.listens = 0
       and '$any' in (s.type, s.key)
       and inbox.status = 'pending'
       and s.type in (inbox.type, '$any')
       and (s.key in (inbox.key, '$any') and inbox.instance_id is null
            or inbox.instance_id = ?1)
       and inbox.expires_at >= ?3
       and not exists (select d.at
                         from delivery as d
                        where d.message_id = inbox.id
                          and d.heard = 0
                          and (d.at < s.since or d.instance_id = ?1))
     union all
    select n, published_at
      from (select h.n, m.published_at
              from unheard as h
             cross join inbox as m
             where h.instance_id = ?1
               and m.id = h.message_id
               and m.expires_at >= ?3
               and exists (select type from asked where listens = 1)
               and not exists (select token_id from subscription
                                where instance_id = ?1 and listens = 2)
               and exists (select s.token_id
                             from subscription as s
                            where s.instance_id = ?1
                              and s.listens = 1
                              and s.since <= m.published_at
                              and s.type in (m.type, '$any')
                              and (s.key in (m.key, '$any') or m.instance_id is not null))
             order by h.n
             limit 1)
  )
  select inbox.id, inbox.type, inbox.key, inbox.instance_id as target, inbox.tenant, inbox.trace,
         inbox.data, ?1 as instance_id, ?2 as token_id, max(met.published) as published
    from met
   cross join instance as i
   cross join inbox
   where i.id = ?1
     and i.status <> 'suspended'
     and inbox.n = met.n
     and (inbox.tenant is null or inbox.tenant = i.tenant)
   group by inbox.n
   order by inbox.n
   limit 1`;

/**
 * Used up, if one who waited had it, unless one who waits may still have it. No row: nobody has had
 * it, or there is none.
 */
export const consume = `
  update inbox
     set status = case
           when not exists (select message_id from delivery where (message_id, heard) = (?1, 0))
           then status
           when inbox.instance_id is null
            and exists (select s.token_id
                          from subscription as s
                         where s.listens = 0
                           and s.type in (inbox.type, '$any')
                           and s.key in (inbox.key, '$any')
                           and (inbox.tenant is null
                                or inbox.tenant = (select i.tenant
                                                     from instance as i
                                                    where i.id = s.instance_id))
                           and not exists (select d.at
                                             from delivery as d
                                            where d.message_id = inbox.id
                                              and d.heard = 0
                                              and (d.at < s.since
                                                   or d.instance_id = s.instance_id)))
           then status
           else 'consumed'
         end
   where id = ?1
     and exists (select message_id from delivery where message_id = ?1)`;

/** Newest first. What may be asked for and is not is null. */
export const pending = `
  select n, id, type, key, instance_id as target, tenant, trace, data, published_at, expires_at
    from inbox indexed by inbox_pending
   where status = 'pending'
     and expires_at >= ?1
     and n < ?2
     and type = ifnull(?3, type)
     and key = ifnull(?4, key)
     and instance_id is ifnull(?5, instance_id)
     and tenant is ifnull(?6, tenant)
     and not exists (select message_id from delivery where message_id = inbox.id)
   order by n desc
   limit ?7`;

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

/** The same id is the same letter, and on its way already. */
export const putLetter = `
  insert into letter (id, instance_id, flow, type, key, data, trace, status, attempts,
         available_at, created_at, updated_at, version)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'ready', 0, ?8, ?8, ?8, 0)
      on conflict (id) do nothing`;

/** Only the first of its instance that is not dead, and none while another is on its way. */
export const claimLetters = `
  update letter
     set status = 'sending', version = version + 1, updated_at = ?1,
         locked_by = ?4, locked_until = ?1 + ?5
   where n in (
           select first.n
             from letter as first
            where first.status = 'ready'
              and first.available_at <= ?1
              and (?2 is null or first.type in (select value from json_each(?2)))
              and not exists (select n from letter as before
                               where before.instance_id = first.instance_id
                                 and before.n < first.n
                                 and before.status <> 'dead')
              and not exists (select n from letter as other
                               where other.instance_id = first.instance_id
                                 and other.status = 'sending')
            order by first.available_at, first.n
            limit ?3
         )
  returning n, id, instance_id, flow, type, key, data, trace, attempts, available_at, created_at,
         version, locked_by`;

/** No row: the claim was lost, or is over. */
export const sentLetters = `
  delete from letter
   where (id, status, locked_by, version) = (?1, 'sending', ?2, ?3)
     and locked_until >= ?4`;

/** Without a pause it is dead. No row: the claim was lost, or is over where it should hold. */
export const failedLetters = `
  update letter
     set status = case when ?6 is null then 'dead' else 'ready' end, attempts = attempts + 1,
         available_at = ?7 + coalesce(?6, 0), last_error = ?5, updated_at = ?7,
         version = version + 1, locked_by = null, locked_until = null
   where (id, status, locked_by, version) = (?1, 'sending', ?2, ?3)
     and (locked_until < ?7) = ?4
  returning instance_id, n, available_at`;

/** No row: the claim was lost, or is over. */
export const releaseLetters = `
  update letter
     set status = 'ready', version = version + 1, updated_at = ?4,
         locked_by = null, locked_until = null
   where (id, status, locked_by, version) = (?1, 'sending', ?2, ?3)
     and locked_until >= ?4`;

export const expiredLetters = `
  select id, instance_id, version, locked_by, attempts
    from letter
   where status = 'sending'
     and locked_until < ?1
   order by locked_until, n
   limit ?2`;

/** For people: whatever is asked for, in the order of writing. */
export const letters = `
  select n, id, instance_id, flow, type, key, data, status, attempts, available_at, last_error,
         created_at, updated_at
    from letter
   where n > ?1
     and (?2 is null or status = ?2)
     and (?3 is null or type = ?3)
     and (?4 is null or instance_id = ?4)
   order by n
   limit ?5`;

/** No row: it was not dead. */
export const requeueLetters = `
  update letter
     set status = 'ready', attempts = 0, available_at = ?2, updated_at = ?2, version = version + 1
   where id in (select value from json_each(?1))
     and status = 'dead'
  returning n, id`;

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

/** Ids before this one, newest first; those below are the same for one stretch of an index each. */
export const walkAll = 'select id from instance where id < ?1 order by id desc limit ?2';

export const walkFlow = `
  select id from instance where flow = ?3 and id < ?1 order by id desc limit ?2`;

export const walkTenant = `
  select id from instance where tenant = ?3 and id < ?1 order by id desc limit ?2`;

export const walkKey = `
  select id from instance where key = ?3 and id < ?1 order by id desc limit ?2`;

export const walkParent = `
  select id from instance where parent_instance_id = ?3 and id < ?1 order by id desc limit ?2`;

export const walkFaulty = `
  select id from instance where fault is not null and id < ?1 order by id desc limit ?2`;

/** Those with a fault, and those of which a token waits after something failed. */
export const walkTroubled = `
  select id
    from instance
   where fault is not null
     and id < ?1
   union
  select instance_id as id
    from token
   where status = 'waiting'
     and last_error is not null
     and instance_id < ?1
   order by id desc
   limit ?2`;

export const walkStalled = `
  select id from instance where stalled is not null and id < ?1 order by id desc limit ?2`;

/**
 * Every open instance has a token, and of those that are over only chains have: from token to token
 * of another instance, no more than a page of the table is read for each.
 */
export const walkOpen = `
  with recursive level (id, nth) as (
    select (select instance_id
              from token
             where instance_id < ?1
             order by instance_id desc
             limit 1), 1
     union all
    select (select instance_id
              from token
             where instance_id < level.id
             order by instance_id desc
             limit 1), nth + 1
      from level
     where id is not null
       and nth < ?2
  )
  select id from level where id is not null`;

export const walkTag = `
  select instance_id as id
    from tag
   where (name, type, value) = (?3, ?4, ?5)
     and instance_id < ?1
   order by instance_id desc
   limit ?2`;

/** The whole range is sorted: it is a short one. */
export const walkRange = `
  select instance_id as id
    from tag
   where name = ?3
     and number is not null
     and number >= ifnull(?4, -9e999)
     and number <= ifnull(?5, 9e999)
     and instance_id < ?1
   order by instance_id desc
   limit ?2`;

/** No row: the range holds no more than so many. */
export const rangeBeyond = `
  select instance_id as id
    from tag
   where name = ?1
     and number is not null
     and number >= ifnull(?2, -9e999)
     and number <= ifnull(?3, 9e999)
   limit 1 offset ?4`;

/** Of these instances those that are as asked for. What may be asked for and is not is null. */
export const matching = `
  select instance.id, instance.flow, instance.flow_version, instance.key, instance.tenant,
         instance.priority, instance.fault, instance.stalled, instance.outcome,
         instance.parent_instance_id, instance.parent_token_id, instance.created_at,
         instance.updated_at, instance.ended_at,
         case
           when instance.status = 'running'
            and not exists (select token.id
                              from token
                             where token.instance_id = instance.id
                               and token.status in ('ready', 'executing'))
           then 'waiting'
           else instance.status
         end as shown
    from json_each(?1)
   cross join instance
   where instance.id = json_each.value
     and (?2 is null or instance.flow = ?2)
     and (?3 is null or instance.flow_version = ?3)
     and (?4 is null or shown in (select value from json_each(?4)))
     and (?5 = 0 or instance.stalled is not null)
     and (?6 is null or instance.key = ?6)
     and (?7 is null or instance.tenant = ?7)
     and (?8 is null or instance.parent_instance_id = ?8)
     and (?9 is null or instance.created_at >= ?9)
     and (?10 is null or instance.created_at < ?10)
     and (?11 is null or instance.ended_at >= ?11)
     and (?12 is null or instance.ended_at < ?12)
     and (coalesce(?13, ?14, ?15, ?16) is null
          or (instance.fault is not null
              and (?13 is null or json_extract(instance.fault, '$.code') = ?13)
              and (?14 is null or instr(json_extract(instance.fault, '$.code'), ?14) = 1)
              and (?15 is null or instr(json_extract(instance.fault, '$.message'), ?15) > 0)
              and (?16 is null or json_extract(instance.fault, '$.node') = ?16))
          or exists (
             select token.id
               from token
              where token.instance_id = instance.id
                and token.status = 'waiting'
                and token.last_error is not null
                and token.wait like '{"on":"incident"%'
                and (?13 is null or json_extract(token.last_error, '$.code') = ?13)
                and (?14 is null or instr(json_extract(token.last_error, '$.code'), ?14) = 1)
                and (?15 is null or instr(json_extract(token.last_error, '$.message'), ?15) > 0)
                and (?16 is null or token.node_id = ?16)))
     and not exists (
           select json_each.value
             from json_each(?17)
            where not exists (
                    select tag.name
                      from tag
                     where tag.instance_id = instance.id
                       and tag.name = json_each.value ->> 0
                       and tag.type = ifnull(json_each.value ->> 1, tag.type)
                       and tag.value = ifnull(json_each.value ->> 2, tag.value)
                       and (json_each.value ->> 3 is null or tag.number >= json_each.value ->> 3)
                       and (json_each.value ->> 4 is null or tag.number <= json_each.value ->> 4)))
   order by instance.id desc
   limit ?18`;

/** The first that is not counted; no row: all are. Those below count what is newer. */
export const tallyFloor = `
  select id
    from (select id from instance
           where ?1 is null and ?2 is null and id > '' order by id desc limit 1 offset ?3)
   union all
  select id
    from (select id from instance
           where ?2 is null and flow = ?1 order by id desc limit 1 offset ?3)
   union all
  select id
    from (select id from instance
           where tenant = ?2 order by id desc limit 1 offset ?3)`;

/** Instances by flow, version and the status that people are shown. */
export const tallyGroups = `
  with meant as (
    select id, flow, flow_version, status from instance
     where ?1 is null and ?2 is null and id > ?3
     union all
    select id, flow, flow_version, status from instance
     where ?2 is null and flow = ?1 and id > ?3
     union all
    select id, flow, flow_version, status from instance
     where tenant = ?2 and id > ?3 and (?1 is null or flow = ?1)
  )
  select flow, flow_version, count(*) as count,
         case
           when status = 'running'
            and not exists (select token.id
                              from token
                             where token.instance_id = meant.id
                               and token.status in ('ready', 'executing'))
           then 'waiting'
           else status
         end as shown
    from meant
   group by flow, flow_version, shown
   order by flow, flow_version, shown`;

/**
 * Why instances failed and tokens wait to be mended: a row for each of the messages of a cause that
 * came most often, those of a cause one after the other.
 */
export const tallyCauses = `
  with meant as (
    select id, flow, status, fault from instance
     where ?1 is null and ?2 is null and id > ?3
     union all
    select id, flow, status, fault from instance
     where ?2 is null and flow = ?1 and id > ?3
     union all
    select id, flow, status, fault from instance
     where tenant = ?2 and id > ?3 and (?1 is null or flow = ?1)
  ),
  cause as (
    select 'failed' as kind, id, flow, json_extract(fault, '$.node') as node, fault as body
      from meant
     where status = 'failed'
       and fault is not null
     union all
    select 'incident', meant.id, meant.flow, token.node_id, token.last_error
      from meant
     cross join token
     where meant.status in ('running', 'suspended', 'compensating')
       and token.instance_id = meant.id
       and token.status = 'waiting'
       and token.last_error is not null
       and token.wait like '{"on":"incident"%'
  ),
  said as (
    select flow, node, json_extract(body, '$.code') as code, kind,
           substr(json_extract(body, '$.message'), 1, ?4) as message,
           count(*) as count, max(id) as newest
      from cause
     group by 1, 2, 3, 4, 5
  ),
  ranked as (
    select flow, node, code, kind, message, count,
           row_number() over (partition by flow, node, code, kind
                              order by count desc, newest desc) as place,
           sum(count) over (partition by flow, node, code, kind) as total,
           max(newest) over (partition by flow, node, code, kind) as latest
      from said
  )
  select flow, node, code, kind, message, count, total, latest
    from ranked
   where place <= ?5
   order by total desc, latest desc, flow, code, node, kind, place
   limit ?6`;

export const tagsOf = `
  select tag.instance_id, tag.name, tag.type, tag.value
    from json_each(?1)
   cross join tag
   where tag.instance_id = json_each.value
   order by tag.instance_id, tag.name`;

/**
 * Tasks of a list, behind a place, up to a rank, and as asked for. What may be asked for and is not
 * is null. Those below are the same in other orders: each by an index of its own.
 */
export const tasksByCreated = `
  with page as (
    select l.by_created as rank, t.instance_id, t.token_id, t.kind
      from task_list as l
     cross join task as t on (t.instance_id, t.token_id) = (l.instance_id, l.token_id)
     where (l.list, l.name) = (?1, ?2)
       and (l.by_created, l.instance_id, l.token_id) > (?3, ?4, ?5)
       and l.by_created <= ?6
       and (?8 is null or t.kind = ?8) and (?9 is null or t.flow = ?9)
       and (?10 is null or t.node_id = ?10) and (?11 is null or t.tenant = ?11)
       and (?12 is null or t.assignee = ?12) and (?13 = 0 or t.assignee is null)
       and t.created_at >= ?14 and t.created_at < ?15
       and (?16 is null or t.due_at >= ?16)
       and (?17 is null or t.due_at < ?17)
       and (?18 is null or t.follow_up_at >= ?18)
       and (?19 is null or t.follow_up_at < ?19)
       and (?20 is null or t.priority >= ?20)
     order by l.by_created, l.instance_id, l.token_id
     limit ?7
  )
  select page.*, i.flow, i.flow_version, i.key, i.tenant, i.status, k.node_id, k.created_at,
         coalesce(k.wake_at, k.held_wake_at) as wake_at, k.wait
    from page
   cross join instance as i on i.id = page.instance_id
   cross join token as k on (k.instance_id, k.id) = (page.instance_id, page.token_id)`;

export const tasksByDue = `
  with page as (
    select l.by_due as rank, t.instance_id, t.token_id, t.kind
      from task_list as l
     cross join task as t on (t.instance_id, t.token_id) = (l.instance_id, l.token_id)
     where (l.list, l.name) = (?1, ?2)
       and (l.by_due, l.instance_id, l.token_id) > (?3, ?4, ?5)
       and l.by_due <= ?6
       and (?8 is null or t.kind = ?8) and (?9 is null or t.flow = ?9)
       and (?10 is null or t.node_id = ?10) and (?11 is null or t.tenant = ?11)
       and (?12 is null or t.assignee = ?12) and (?13 = 0 or t.assignee is null)
       and t.created_at >= ?14 and t.created_at < ?15
       and (?16 is null or t.due_at >= ?16)
       and (?17 is null or t.due_at < ?17)
       and (?18 is null or t.follow_up_at >= ?18)
       and (?19 is null or t.follow_up_at < ?19)
       and (?20 is null or t.priority >= ?20)
     order by l.by_due, l.instance_id, l.token_id
     limit ?7
  )
  select page.*, i.flow, i.flow_version, i.key, i.tenant, i.status, k.node_id, k.created_at,
         coalesce(k.wake_at, k.held_wake_at) as wake_at, k.wait
    from page
   cross join instance as i on i.id = page.instance_id
   cross join token as k on (k.instance_id, k.id) = (page.instance_id, page.token_id)`;

export const tasksByPriority = `
  with page as (
    select l.by_priority as rank, t.instance_id, t.token_id, t.kind
      from task_list as l
     cross join task as t on (t.instance_id, t.token_id) = (l.instance_id, l.token_id)
     where (l.list, l.name) = (?1, ?2)
       and (l.by_priority, l.instance_id, l.token_id) > (?3, ?4, ?5)
       and l.by_priority <= ?6
       and (?8 is null or t.kind = ?8) and (?9 is null or t.flow = ?9)
       and (?10 is null or t.node_id = ?10) and (?11 is null or t.tenant = ?11)
       and (?12 is null or t.assignee = ?12) and (?13 = 0 or t.assignee is null)
       and t.created_at >= ?14 and t.created_at < ?15
       and (?16 is null or t.due_at >= ?16)
       and (?17 is null or t.due_at < ?17)
       and (?18 is null or t.follow_up_at >= ?18)
       and (?19 is null or t.follow_up_at < ?19)
       and (?20 is null or t.priority >= ?20)
     order by l.by_priority, l.instance_id, l.token_id
     limit ?7
  )
  select page.*, i.flow, i.flow_version, i.key, i.tenant, i.status, k.node_id, k.created_at,
         coalesce(k.wake_at, k.held_wake_at) as wake_at, k.wait
    from page
   cross join instance as i on i.id = page.instance_id
   cross join token as k on (k.instance_id, k.id) = (page.instance_id, page.token_id)`;

/** Those of an instance, or else of a key, and in one of these lists, if any are given. */
export const tasksOf = `
  with wanted as (
    select ?1 as id where ?1 is not null
     union all
    select id from instance where key = ?2 and ?1 is null
  ),
  ranked as (
    select case ?3 when 'due' then coalesce(t.due_at, 9007199254740991)
                   when 'priority' then - t.priority
                   else t.created_at end as rank,
           t.instance_id, t.token_id, t.kind
      from wanted
     cross join task as t on t.instance_id = wanted.id
     where (?4 is null
            or exists (select 1
                         from task_list as l
                        where (l.instance_id, l.token_id) = (t.instance_id, t.token_id)
                          and (l.list, l.name) in (select value ->> 0, value ->> 1
                                                     from json_each(?4))))
       and (?10 is null or t.kind = ?10) and (?11 is null or t.flow = ?11)
       and (?12 is null or t.node_id = ?12) and (?13 is null or t.tenant = ?13)
       and (?14 is null or t.assignee = ?14) and (?15 = 0 or t.assignee is null)
       and t.created_at >= ?16 and t.created_at < ?17
       and (?18 is null or t.due_at >= ?18)
       and (?19 is null or t.due_at < ?19)
       and (?20 is null or t.follow_up_at >= ?20)
       and (?21 is null or t.follow_up_at < ?21)
       and (?22 is null or t.priority >= ?22)
  ),
  page as (
    select rank, instance_id, token_id, kind
      from ranked
     where (rank, instance_id, token_id) > (?5, ?6, ?7)
       and rank <= ?8
     order by rank, instance_id, token_id
     limit ?9
  )
  select page.*, i.flow, i.flow_version, i.key, i.tenant, i.status, k.node_id, k.created_at,
         coalesce(k.wake_at, k.held_wake_at) as wake_at, k.wait
    from page
   cross join instance as i on i.id = page.instance_id
   cross join token as k on (k.instance_id, k.id) = (page.instance_id, page.token_id)
   where (?2 is null or i.key = ?2)`;

/**
 * Of these instances those that are over and as asked for, and whether somebody still has a use for
 * them: what they have for others is on its way, or the one that called them is open. (The id of a
 * post begins with that of its instance, and a slash: 0 is the next character.)
 */
export const prunable = `
  select instance.id,
         exists (select outbox.n
                   from outbox
                  where outbox.id > instance.id || '/'
                    and outbox.id < instance.id || '0'
                    and outbox.instance_id = instance.id)
         or exists (select letter.n
                      from letter
                     where letter.instance_id = instance.id
                       and letter.status <> 'dead')
         or exists (select caller.id
                      from instance as caller
                     where caller.id = instance.parent_instance_id
                       and caller.ended_at is null) as held
    from json_each(?1)
   cross join instance
   where instance.id = json_each.value
     and instance.status in (select value from json_each(?2))
     and (?3 is null or instance.flow = ?3)
     and (?4 is null or instance.tenant = ?4)
     and instance.ended_at < ?5
   order by instance.id
   limit ?6`;

/** All that an instance which is over has left. */
export const removeInputs = `
  delete from instance_input where instance_id in (select value from json_each(?1))`;
export const removeTokens = `
  delete from token where instance_id in (select value from json_each(?1))`;
export const removeUndos = `
  delete from undo where instance_id in (select value from json_each(?1))`;
export const removeTags = `
  delete from tag where instance_id in (select value from json_each(?1))`;
export const removeHistory = `
  delete from history where instance_id in (select value from json_each(?1))`;
export const removeSnapshots = `
  delete from snapshot where instance_id in (select value from json_each(?1))`;
export const removeDropped = `
  delete from dropped where instance_id in (select value from json_each(?1))`;
export const removeInstances = `
  delete from instance where id in (select value from json_each(?1))`;

/** Ids that are not to be used again. */
export const putPruned = `
  insert or ignore into pruned (id, at) select value, ?2 from json_each(?1)`;
export const prunedById = 'select id from pruned where id = ?1';

/** Messages by their ids, and whether nobody can have them any more, nor had them lately. */
export const messagesAfter = `
  select id,
         expires_at < ?3
         or (status = 'consumed'
             and published_at < ?3
             and not exists (select delivery.at
                               from delivery
                              where delivery.message_id = inbox.id
                                and delivery.at >= ?3)
             and not exists (select n from unheard where message_id = inbox.id)) as spent
    from inbox
   where id > ?1
   order by id
   limit ?2`;

export const removeMessages = `
  delete from inbox where id in (select value from json_each(?1))`;
export const removeDeliveries = `
  delete from delivery where message_id in (select value from json_each(?1))`;
export const removeUnheard = `
  delete from unheard where message_id in (select value from json_each(?1))`;

/** No row changed: there is one of that name. The first version is the moment it was made. */
export const putSchedule = `
  insert into schedule (name, flow, spec, status, next_at, last_at, since, version, created_at,
         updated_at)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?8)
      on conflict (name) do nothing`;

/** No row changed: it has another version, or there is none. */
export const alterSchedule = `
  update schedule
     set flow = ?2, spec = ?3, status = ?4, next_at = ?5, last_at = ?6, since = ?7,
         version = version + 1, updated_at = ?8
   where (name, version) = (?1, ?9)`;

/** The same without what was given. */
export const moveSchedule = `
  update schedule
     set next_at = ?3, last_at = ?4, version = version + 1, updated_at = ?5
   where (name, version) = (?1, ?2)`;

/** No row: there is none of that name. */
export const findSchedule = `
  select name, flow, spec, status, next_at, last_at, since, version, created_at, updated_at
    from schedule
   where name = ?1`;

export const schedulesAfter = `
  select name, flow, spec, status, next_at, last_at, since, version, created_at, updated_at
    from schedule
   where name > ?1
   order by name
   limit ?2`;

/** Flow by flow, so that what nobody here can start is passed over. */
export const dueSchedules = `
  select name, flow, spec, status, next_at, last_at, since, version, created_at, updated_at
    from schedule
   where flow in (select value from json_each(?1))
     and status = 'active'
     and next_at <= ?2
     and name not in (select value from json_each(?4))
   order by next_at, name
   limit ?3`;

/** No row changed: there is none. */
export const removeSchedule = 'delete from schedule where name = ?1';

/** How many tokens wait to be mended, up to a number, and whose the first of them are. */
export const countIncidents = `
  select count(*) as count, json_group_array(distinct instance_id) filter (where place <= 5) as ids
    from (select instance_id, row_number() over () as place
            from token
           where status = 'waiting'
             and wait like '{"on":"incident"%'
           limit ?1)`;

/** Tokens that have cost workers their lives, and the most that one has. */
export const countCrashed = `
  select count(*) as count, coalesce(max(crashes), 0) as most
    from token
   where crashes >= ?1`;

/** Work that was due long ago, by handler, of so many tokens at most. */
export const overdueWork = `
  select handler, count(*) as count, min(available_at) as since
    from (select handler, available_at
            from token
           where status = 'ready'
             and handler is not null
             and available_at <= ?1
           limit ?2)
   group by handler
   order by min(available_at)`;

/**
 * How much there is to do and since when, each counted up to a number. Work takes the steps of
 * claimable, through all handlers that it is for; the rest is read off the front of its index.
 */
export const backlog = `
  with recursive name (handler) as (
    select min(handler) from token where status = 'ready' and crashes < 2 and handler is not null
     union all
    select (select min(token.handler)
              from token
             where token.status = 'ready'
               and token.crashes < 2
               and token.handler > name.handler)
      from name
     where handler is not null
  ),
  level (handler, priority) as (
    select handler,
           (select max(token.priority)
              from token
             where token.status = 'ready'
               and token.crashes < 2
               and token.handler = name.handler)
      from name
     where handler is not null
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
  select (select count(*)
            from (select token.id
                    from level
                   cross join token
                   where level.priority is not null
                     and token.status = 'ready'
                     and token.crashes < 2
                     and token.handler = level.handler
                     and token.priority = level.priority
                     and token.available_at <= ?1
                   limit ?2)) as work,
         (select min((select min(available_at)
                        from token
                       where token.status = 'ready'
                         and token.crashes < 2
                         and token.handler = level.handler
                         and token.priority = level.priority))
            from level
           where priority is not null) as work_since,
         (select count(*)
            from (select id
                    from token
                   where status = 'ready'
                     and crashes >= 2
                     and handler > ''
                     and available_at <= ?1
                   limit ?2)) as lone,
         (select min(available_at)
            from token
           where status = 'ready'
             and crashes >= 2
             and handler > '') as lone_since,
         (select count(*)
            from (select id from token where status = 'executing' and locked_until > 0 limit ?2))
         as executing,
         (select count(*)
            from (select id from token where status = 'executing' and locked_until < ?1 limit ?2))
         as expired,
         (select min(wake_at) from token where status = 'waiting' and wake_at is not null)
         as timers_since,
         (select count(*)
            from (select n from letter where status = 'ready' and available_at <= ?1 limit ?2))
         as letters,
         (select min(available_at) from letter where status = 'ready') as letters_since,
         (select count(*) from (select n from letter where status = 'dead' and n > 0 limit ?2))
         as dead,
         (select count(*)
            from (select n from inbox where status = 'pending' and expires_at >= ?1 limit ?2))
         as messages`;

/** What only this store has a use for. */
export const own = {
  /** Those that have not said so again in time. Every name is greater than none. */
  dropServersGone: `delete from server where worker > '' and until < ?1`,
  /** A message that is new is to be heard where someone listens. */
  tell: `
    insert into unheard (instance_id, n, message_id)
    select distinct s.instance_id, inbox.n, inbox.id
      from inbox
     cross join subscription as s
     where inbox.id = ?1
       and (s.listens > 0 and inbox.instance_id is null
            and s.type in (inbox.type, '$any') and s.key in (inbox.key, '$any')
            or s.listens > 0 and s.instance_id = inbox.instance_id
            and s.type in (inbox.type, '$any'))
       and (inbox.tenant is null
            or inbox.tenant = (select i.tenant from instance as i where i.id = s.instance_id))`,
  setExclusive: 'pragma locking_mode = exclusive',
  /**
   * Under a limit it waits again, before it is given back: it has begun when it was claimed, and
   * will once more. Of what is suspended nobody waits.
   */
  rejoinLanes: `
    update lane_token
       set owed = owed + (begun = 0),
           owed_at = max(coalesce(owed_at, 0), token.locked_at),
           state = case when token.handler is null then 'asleep'
                        when ordinal = 0 then 'waiting'
                        else 'aside' end,
           begun = 0, passed_at = null
      from token
     where (lane_token.instance_id, lane_token.token_id) = (?1, ?2)
       and lane_token.state = 'passed'
       and (token.instance_id, token.id) = (?1, ?2)
       and (token.status, token.locked_by, token.version) = ('executing', ?3, ?4)
       and token.locked_until >= ?5
       and token.lanes is not null`,
  setWal: 'pragma journal_mode = wal',
  setFull: 'pragma synchronous = full',
  setNormal: 'pragma synchronous = normal',
  /** Only macOS knows the difference: there a plain fsync leaves the data in the drive's cache. */
  setFullFsync: 'pragma fullfsync = on',
  journalMode: 'pragma journal_mode',
  synchronous: 'pragma synchronous',
  /** Another number than last time: another connection has written. */
  dataVersion: 'pragma data_version',
  pageSize: 'pragma page_size',
  pageCount: 'pragma page_count',
  freePages: 'pragma freelist_count',
  /** Reads the whole file. A single row that says ok: nothing is wrong with it. */
  quickCheck: 'pragma quick_check(5)',
  /** What is behind a letter that is tried again later is not looked at before that. */
  pauseLetters: `
  update letter
     set available_at = max(available_at, ?3)
   where instance_id = ?1
     and n > ?2
     and status <> 'dead'
     and status = 'ready'`,
  /** Every write adds one to the version and takes the token from whoever had it. */
  alterToken: `
  update token
     set scope_id = ?3, node_id = ?4, via = ?5, handler = ?6, seq = ?7, status = ?8, mode = ?9,
         groups = ?10, visit = ?11, attempts = ?12, crashes = ?13, max_attempts = ?14,
         priority = ?15, available_at = ?16, wait = ?17, wake_at = ?18, wake = ?19,
         last_error = ?20, hops = ?21, created_at = ?22, updated_at = ?23,
         version = max(version + 1, ?27) + (?24 is not null),
         locked_by = ?24, locked_at = ?25, locked_until = ?25 + ?26
   where (instance_id, id) = (?1, ?2)
  returning version`,
};

export const haltsNow = `
  select flow, version, suspended, at, said_by, why from halt order by flow, version`;

export const putHalt = `
  insert into halt (flow, version, suspended, said_by, why, at)
  values (?1, ?2, ?3, ?4, ?5, ?6)
      on conflict (flow, version) do update
     set suspended = ?3, said_by = ?4, why = ?5, at = ?6
  returning flow, version, suspended, at, said_by, why`;

/** No row changed: nothing is said of it, or something else by now. */
export const dropHalt = `
  delete from halt
   where (flow, version) = (?1, ?2)
     and (suspended, at) = (?3, ?4)`;

export const heldInstances = `
  select id, flow, flow_version
    from instance
   where halted is not null
     and id > ?1
   order by id
   limit ?2`;

export const putServer = `
  insert into server (worker, handlers, until)
  values (?1, ?2, ?3)
      on conflict (worker) do update
     set handlers = ?2, until = ?3`;

export const dropServer = 'delete from server where worker = ?1';

/** What is claimed, whoever has it; what ends first comes first, for the index has it so. */
export const holdsNow = `
  select locked_by, instance_id, id, node_id, locked_at, locked_until
    from token
   where status = 'executing'
     and locked_until > 0
   order by locked_until, instance_id, id
   limit ?1`;

export const serversNow = `
  select worker, handlers, until from server where worker > '' and until >= ?1 order by worker`;

/** Due by then, and none of those that are there now has the handler. */
export const unserved = `
  select token.instance_id, token.id, token.node_id,
         coalesce(token.handler, token.held_handler) as handler,
         coalesce(token.due_at, token.available_at) as available_at
    from token
    join instance on instance.id = token.instance_id
   where token.instance_id in (select value from json_each(?1))
     and token.status = 'ready'
     and instance.status <> 'suspended'
     and coalesce(token.due_at, token.available_at) <= ?2
     and coalesce(token.handler, token.held_handler) is not null
     and not exists (select 1
                       from server, json_each(server.handlers)
                      where server.worker > ''
                        and server.until >= ?3
                        and json_each.value = coalesce(token.handler, token.held_handler))
   order by 5, token.instance_id, token.id`;

/** A few that are over. */
export const clearReceipts = `
  delete from receipt
   where key in (select key from receipt where expires_at <= ?1 order by expires_at limit ?2)`;

/** What stands there is altered only if it is over: whoever finds it asked for once is new. */
export const takeReceipt = `
  insert into receipt (key, body, at, expires_at, asked)
  values (?1, ?2, ?3, ?3 + ?4, 1)
      on conflict (key) do update
     set body = case when expires_at <= ?3 then excluded.body else body end,
         at = case when expires_at <= ?3 then excluded.at else at end,
         expires_at = case when expires_at <= ?3 then excluded.expires_at else expires_at end,
         asked = case when expires_at <= ?3 then 1 else asked + 1 end
  returning body, at, asked`;

export const findReceipt = 'select body, at from receipt where key = ?1 and expires_at > ?2';

/** No row changed: it is not there any more, or not what it was. */
export const putReceipt = `
  update receipt
     set body = ?2
   where key = ?1
     and expires_at > ?4
     and (?3 is null or body = ?3)`;

/** By their keys, and whether they are over. */
export const receiptsAfter = `
  select key, expires_at <= ?3 as is_over from receipt where key > ?1 order by key limit ?2`;

/** One that was taken anew meanwhile stays. */
export const removeReceipts = `
  delete from receipt where key in (select value from json_each(?1)) and expires_at <= ?2`;
