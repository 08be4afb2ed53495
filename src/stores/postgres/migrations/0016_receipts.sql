-- What was asked under a key, and what came of it, for a while. What is over counts as not there, and
-- whoever asks next takes its place.
create table perdure.receipt (
  -- By the key.
  shard       smallint not null,
  key         text     collate "C" not null,
  -- JSON text.
  body        text     not null,
  at          bigint   not null,
  expires_at  bigint   not null,
  -- How often it was asked for since: whoever was the first finds a 1.
  asked       bigint   not null,
  primary key (shard, key)
);

create index receipt_over on perdure.receipt (
  -- Serves clearReceipts.
  shard, expires_at
);
