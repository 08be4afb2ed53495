-- Lone tokens: what has cost two workers their lives is claimed by itself (D11).

drop index token_claim;

create index token_claim on token (
  -- Serves claimable and outlook: each priority of a handler is a stretch in order of time. With
  -- crashes in it, the row itself is not looked at.
  handler, priority desc, available_at, crashes
) where status = 'ready' and crashes < 2;

create index token_lone on token (
  -- Serves claimableLone and outlook: no claim as usual comes past a lone one.
  handler, available_at
) where status = 'ready' and crashes >= 2;
