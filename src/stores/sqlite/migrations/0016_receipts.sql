-- What was asked under a key, and what came of it, for a while. What is over counts as not there, and
-- whoever asks next takes its place.
create table receipt (
  key         text    not null primary key,
  -- JSON text.
  body        text    not null,
  at          integer not null,
  expires_at  integer not null,
  -- How often it was asked for since: whoever was the first finds a 1.
  asked       integer not null
) strict;

create index receipt_over on receipt (
  -- Serves clearReceipts.
  expires_at
);
