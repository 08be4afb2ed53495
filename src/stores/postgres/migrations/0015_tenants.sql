-- Tenants are kept apart: a message may be for instances of one tenant alone, and each tenant has
-- business keys of its own.

-- Null: for all.
alter table perdure.inbox add column tenant text;
-- The traceparent of whoever published it.
alter table perdure.inbox add column trace text;

create index letter_dead on perdure.letter (
  -- Serves backlog.
  shard, n
) where status = 'dead';

-- Keys of tenants have the tenant in them (src/model/own-names.ts), and lie in the shard of what
-- they are then: FNV-1a over UTF-16 units of flow and key (src/stores/postgres/shard.ts).
do $$
declare
  held record;
  own text;
  word text;
  code bigint;
  hash bigint;
begin
  for held in
    select k.shard, k.flow, k.key, i.tenant
      from perdure.business_key as k
      join perdure.instance as i
        on i.shard = any ('{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}'::smallint[])
       and i.id = k.instance_id
     where k.shard = any ('{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}'::smallint[])
       and i.tenant is not null
  loop
    own := case when length(held.tenant) <= 60 then held.tenant
                else encode(sha256(convert_to(held.tenant, 'UTF8')), 'hex') end;
    own := chr(31) || length(own) || ' ' || own || held.key;
    hash := 2166136261;
    foreach word in array array[held.flow, own] loop
      for place in 1 .. length(word) loop
        code := ascii(substr(word, place, 1));
        if code > 65535 then
          -- Beyond these a character is two units.
          hash := ((hash # (55296 + ((code - 65536) / 1024))) * 16777619) & 4294967295;
          code := 56320 + (code - 65536) % 1024;
        end if;
        hash := ((hash # code) * 16777619) & 4294967295;
      end loop;
      hash := ((hash # 31) * 16777619) & 4294967295;
    end loop;
    update perdure.business_key as k
       set shard = (hash # (hash / 65536)) % 16, key = own
     where (k.shard, k.flow, k.key) = (held.shard, held.flow, held.key);
  end loop;
end
$$;
