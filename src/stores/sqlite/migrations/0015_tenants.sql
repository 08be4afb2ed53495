-- Tenants are kept apart: a message may be for instances of one tenant alone, and each tenant has
-- business keys of its own.

-- Null: for all.
alter table inbox add column tenant text;
-- The traceparent of whoever published it.
alter table inbox add column trace text;

create index letter_dead on letter (
  -- Serves backlog.
  n
) where status = 'dead';

-- Keys of tenants have the tenant in them (src/model/own-names.ts).
update business_key
   set key = char(31) || length(instance.tenant) || ' ' || instance.tenant || business_key.key
  from instance
 where instance.id = business_key.instance_id
   and length(instance.tenant) <= 60;

-- Of a longer tenant they would have its hash, which SQLite cannot tell: such a key is free.
delete from business_key
 where instance_id in (select id from instance where length(tenant) > 60);
