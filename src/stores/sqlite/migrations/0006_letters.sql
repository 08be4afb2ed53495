-- Letters: events for the world outside, in order within an instance, until a target has them.

create table letter (
  -- The order of writing. A number may come again, but never before one that is still here.
  n             integer primary key,
  id            text    not null unique,
  instance_id   text    not null,
  flow          text    not null,
  type          text    not null,
  key           text,
  data          text    not null,
  status        text    not null check (status in ('ready', 'sending', 'dead')),
  attempts      integer not null,
  available_at  integer not null,
  last_error    text,
  created_at    integer not null,
  updated_at    integer not null,
  -- The claim columns. Every write of the row adds one to the version.
  version       integer not null,
  locked_by     text,
  locked_until  integer,
  check ((status = 'sending') = (locked_by is not null)),
  check ((locked_by is null) = (locked_until is null))
) strict;

create index letter_queue on letter (
  -- Serves claimLetters, outlook and pauseLetters: what is before a letter, or behind it.
  instance_id, n
) where status <> 'dead';

create index letter_ready on letter (
  -- Serves claimLetters and outlook.
  available_at
) where status = 'ready';

create index letter_sending on letter (
  -- Serves claimLetters and outlook: whether one of the instance is on its way.
  instance_id
) where status = 'sending';

create index letter_lease on letter (
  -- Serves expiredLetters and outlook.
  locked_until
) where status = 'sending';
