-- Letters: events for the world outside, in order within an instance, until a target has them.

create table perdure.letter (
  shard         smallint not null,
  id            text     collate "C" not null,
  -- The order of writing; that of one instance's commits is kept, since they come one by one.
  n             bigint   not null generated always as identity,
  instance_id   text     collate "C" not null,
  flow          text     collate "C" not null,
  type          text     collate "C" not null,
  key           text     collate "C",
  data          text     not null,
  status        text     collate "C" not null check (status in ('ready', 'sending', 'dead')),
  attempts      integer  not null,
  available_at  bigint   not null,
  last_error    text,
  created_at    bigint   not null,
  updated_at    bigint   not null,
  -- The claim columns. Every write of the row adds one to the version.
  version       bigint   not null,
  locked_by     text     collate "C",
  locked_until  bigint,
  primary key (shard, id),
  check ((status = 'sending') = (locked_by is not null)),
  check ((locked_by is null) = (locked_until is null))
);

create index letter_list on perdure.letter (
  -- Serves letters.
  shard, n
);

create index letter_queue on perdure.letter (
  -- Serves claimLetters, outlook and failedLetters: what is before a letter, or behind it.
  shard, instance_id, n
) where status <> 'dead';

create index letter_ready on perdure.letter (
  -- Serves claimLetters and outlook.
  shard, available_at
) where status = 'ready';

create index letter_sending on perdure.letter (
  -- Serves claimLetters and outlook: whether one of the instance is on its way.
  shard, instance_id
) where status = 'sending';

create index letter_lease on perdure.letter (
  -- Serves expiredLetters and outlook.
  shard, locked_until
) where status = 'sending';
