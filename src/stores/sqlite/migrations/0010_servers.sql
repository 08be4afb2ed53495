-- Which handlers the processes at work have: each says so now and then, and takes its word back when
-- it ends. Whoever has not said so again in time is gone. So it can be told of work that nobody has a
-- handler for from work that waits for its turn.
create table server (
  worker    text    primary key,
  -- A list, as JSON text.
  handlers  text    not null,
  until     integer not null
) strict, without rowid;

-- Of two plans of one version, the one that was saved last.
alter table plan add column saved_at integer not null default 0;

create index plan_version on plan (
  -- Serves plansNow.
  name, version, saved_at
);
