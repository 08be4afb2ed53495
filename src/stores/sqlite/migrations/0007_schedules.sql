-- Schedules: flows that are started at moments of a clock or in intervals.

create table schedule (
  name        text    primary key,
  flow        text    not null,
  -- When and with what, as it was given.
  spec        text    not null,
  status      text    not null check (status in ('active', 'paused')),
  -- The moment it starts an instance for next, and the one it last did. Null: none.
  next_at     integer,
  last_at     integer,
  -- Since when the spec is what it is: intervals are counted from here.
  since       integer not null,
  version     integer not null,
  created_at  integer not null,
  updated_at  integer not null
) strict;

create index schedule_due on schedule (
  -- Serves dueSchedules and outlook.
  flow, next_at
) where status = 'active' and next_at is not null;
