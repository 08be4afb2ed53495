-- Pauses: when an instance was suspended. Meanwhile nobody may find its tokens: what the indexes
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

-- What was said of whole flows: the narrowest counts. The flow `*` is every flow, version 0 every
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
