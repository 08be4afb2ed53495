-- Lanes: where ready tokens wait because of a limit. The token itself is held as those of suspended
-- instances are, so that a claim does not come past it; the rows here say where it waits.

-- The limits it is under, as a JSON list. Null: none.
alter table token add column lanes text;
-- Since when it is due, if it takes its place among others only since it was let through.
alter table token add column due_at integer;
-- How urgent it is, if the queue that it was let to has another number for all.
alter table token add column own_priority integer;

create table lane (
  name         text    primary key,
  -- The numbers of the newest version of the flow that has had a token here. Null: no such limit.
  version      integer not null,
  concurrency  integer,
  rate_max     integer,
  rate_per_ms  integer,
  -- When the last ones began, as a JSON list of moments and how many; for a rate alone.
  log          text,
  -- When there may be room though nobody came or went. Null: never.
  look_at      integer,
  -- Of one that tenants share: the share that had the last turn, or the lane itself.
  turn         text
) strict, without rowid;

create index lane_look on lane (
  -- Serves dueLanes and outlook.
  look_at
) where look_at is not null;

create table lane_token (
  instance_id   text    not null,
  token_id      integer not null,
  lane          text    not null,
  -- Which of its lanes it is, and how many there are without that of its tenant.
  ordinal       integer not null,
  lanes         integer not null,
  state         text    not null check (state in
    ('waiting', 'aside', 'later', 'shelved', 'asleep', 'passed', 'gone')),
  handler       text    not null,
  priority      integer not null,
  -- When its instance began.
  since         integer not null,
  available_at  integer not null,
  -- 1: it was let through and has begun. How many begins nobody has counted yet, and the last.
  begun         integer not null check (begun in (0, 1)),
  owed          integer not null,
  owed_at       integer,
  passed_at     integer,
  primary key (instance_id, token_id, ordinal)
) strict, without rowid;

create index lane_queue on lane_token (
  -- Serves queueOf, laneFacts, standingIn, unservedIn, dropGone and dropIdleLane.
  lane, state, priority desc, since, instance_id, token_id
);

create index lane_later on lane_token (
  -- Serves duePlaces and outlook.
  available_at
) where state = 'later';

create index lane_shelf on lane_token (
  -- Serves servedPlaces and outlook: what nobody had a handler for.
  handler
) where state = 'shelved';

create index lane_owing on lane_token (
  -- Serves owingIn.
  lane
) where owed > 0;

-- What has come to lanes and left them: each commit adds its own, and whoever looks takes them away.
create table lane_news (
  n            integer primary key,
  lane         text    not null,
  -- By the version of the flow that it runs. Null: it left.
  version      integer,
  concurrency  integer,
  rate_max     integer,
  rate_per_ms  integer
) strict;
