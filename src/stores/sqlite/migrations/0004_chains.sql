-- Chains: who runs their steps, and how they look to those who know the linear engine they come
-- from. Its tables are views here, with its columns and its states.

-- The handlers that a chain's links call for, as a JSON list. Null: it is no chain.
alter table plan add column links text;

create index plan_links on plan (
  -- Serves linksOf.
  name
) where links is not null;

create view workflow_instance as
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

create view workflow_step as
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
         json_extract(token.wait, '$.type') as waiting_event_type,
         coalesce(token.wake_at, json_extract(token.wait, '$.until')) as deadline_at,
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
