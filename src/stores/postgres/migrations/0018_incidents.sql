-- Looking for what waits to be mended. Few tokens wait after something failed, and the others do not
-- write it.
create index token_incident on perdure.token (
  -- Serves walkTroubled and tallyCauses.
  shard, instance_id
) where status = 'waiting' and last_error is not null;
