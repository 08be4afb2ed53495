-- Which handlers the processes at work have: each says so now and then, and takes its word back when
-- it ends. Whoever has not said so again in time is gone. So it can be told of work that nobody has a
-- handler for from work that waits for its turn.
create table perdure.server (
  shard     smallint not null,
  worker    text     collate "C" not null,
  -- A list, as JSON text.
  handlers  text     not null,
  until     bigint   not null,
  primary key (shard, worker)
);

-- Of two plans of one version, the one that was saved last.
alter table perdure.plan add column saved_at bigint not null default 0;

create index plan_version on perdure.plan (
  -- Serves plansNow.
  name, version, saved_at
);
