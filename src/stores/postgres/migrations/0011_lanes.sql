-- Lanes: where ready tokens wait because of a limit. The token itself is held as those of suspended
-- instances are, so that a claim does not come past it; the rows here say where it waits. Commits
-- only ever write their own rows of lane_token: a lane is written by whoever lets through.

-- The limits it is under, as a JSON list. Null: none.
alter table perdure.token add column lanes text;
-- Since when it is due, if it takes its place among others only since it was let through.
alter table perdure.token add column due_at bigint;
-- How urgent it is, if the queue that it was let to has another number for all.
alter table perdure.token add column own_priority bigint;

create table perdure.lane (
  shard        smallint not null,
  name         text     collate "C" not null,
  -- The numbers of the newest version of the flow that has had a token here. Null: no such limit.
  version      integer  not null,
  concurrency  bigint,
  rate_max     bigint,
  rate_per_ms  bigint,
  -- When the last ones began, as a JSON list of moments and how many; for a rate alone.
  log          text,
  -- When there may be room though nobody came or went. Null: never.
  look_at      bigint,
  -- Of one that tenants share: the share that had the last turn, or the lane itself.
  turn         text collate "C",
  primary key (shard, name)
);

create index lane_look on perdure.lane (
  -- Serves dueLanes and outlook.
  shard, look_at
) where look_at is not null;

create table perdure.lane_token (
  shard         smallint not null,
  instance_id   text     collate "C" not null,
  token_id      bigint   not null,
  lane          text     collate "C" not null,
  -- Which of its lanes it is, and how many there are without that of its tenant.
  ordinal       smallint not null,
  lanes         smallint not null,
  state         text     collate "C" not null check (state in
    ('waiting', 'aside', 'later', 'shelved', 'asleep', 'passed', 'gone')),
  handler       text     collate "C" not null,
  priority      bigint   not null,
  -- When its instance began.
  since         bigint   not null,
  available_at  bigint   not null,
  -- 1: it was let through and has begun. How many begins nobody has counted yet, and the last.
  begun         smallint not null check (begun in (0, 1)),
  owed          integer  not null,
  owed_at       bigint,
  passed_at     bigint,
  -- Not by its lane: whoever looks for a lane is to find it by its queue alone.
  primary key (shard, instance_id, token_id, ordinal)
);

create index lane_queue on perdure.lane_token (
  -- Serves queueOf, laneFacts, standingIn, unservedIn, dropGone and dropIdleLane.
  shard, lane, state, (- priority), since, instance_id, token_id
);

create index lane_later on perdure.lane_token (
  -- Serves duePlaces and outlook.
  shard, available_at
) where state = 'later';

create index lane_shelf on perdure.lane_token (
  -- Serves servedPlaces and outlook: what nobody had a handler for.
  shard, handler
) where state = 'shelved';

create index lane_owing on perdure.lane_token (
  -- Serves owingIn.
  shard, lane
) where owed > 0;

-- What has come to lanes and left them: each commit adds its own, and whoever looks takes them away.
create table perdure.lane_news (
  shard        smallint not null,
  n            bigint   not null generated always as identity,
  lane         text     collate "C" not null,
  -- By the version of the flow that it runs. Null: it left.
  version      integer,
  concurrency  bigint,
  rate_max     bigint,
  rate_per_ms  bigint,
  primary key (shard, n)
);
