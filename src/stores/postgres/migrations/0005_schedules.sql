-- Schedules: flows that are started at moments of a clock or in intervals.

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
