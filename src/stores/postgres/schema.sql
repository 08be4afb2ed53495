-- The schema after the last migration, made by `npx vitest run src/stores/postgres -u`.

CREATE OR REPLACE FUNCTION perdure.member(body text, name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (body ~ '\\u(0000|d[89a-f])'::text) THEN body ELSE ((body)::json ->> name) END;

CREATE OR REPLACE FUNCTION perdure.moment(told bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
RETURN COALESCE(told, ((EXTRACT(epoch FROM statement_timestamp()) * (1000)::numeric))::bigint);

create table perdure.business_key (
  shard smallint not null,
  flow text collate "C" not null,
  key text collate "C" not null,
  instance_id text collate "C" not null,
  constraint business_key_pkey PRIMARY KEY (shard, flow, key)
);

create table perdure.delivery (
  shard smallint not null,
  message_id text collate "C" not null,
  instance_id text collate "C" not null,
  at bigint not null default 0,
  constraint delivery_pkey PRIMARY KEY (shard, message_id, instance_id)
);

create table perdure.dropped (
  shard smallint not null,
  n bigint not null generated always as identity,
  instance_id text collate "C" not null,
  token_id bigint not null,
  version bigint not null,
  worker text not null,
  reason text not null,
  at bigint not null,
  constraint dropped_pkey PRIMARY KEY (shard, instance_id, n)
);

create table perdure.history (
  shard smallint not null,
  instance_id text collate "C" not null,
  n bigint not null,
  commit_id text not null,
  at bigint not null,
  changes text not null,
  constraint history_pkey PRIMARY KEY (shard, instance_id, n)
);

create table perdure.inbox (
  shard smallint not null,
  id text collate "C" not null,
  n bigint not null generated always as identity,
  type text collate "C" not null,
  key text collate "C" not null,
  data text not null,
  status text not null,
  published_at bigint not null,
  expires_at bigint not null,
  instance_id text collate "C",
  constraint inbox_pkey PRIMARY KEY (shard, id),
  constraint inbox_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'consumed'::text])))
);

create table perdure.instance (
  shard smallint not null,
  id text collate "C" not null,
  plan_hash text not null,
  flow text not null,
  flow_version integer not null,
  status text not null,
  version bigint not null,
  counter bigint not null,
  key text,
  tenant text,
  priority bigint not null,
  output text,
  fault text,
  stalled text,
  created_at bigint not null,
  updated_at bigint not null,
  ended_at bigint,
  outcome text,
  parent_instance_id text,
  parent_token_id bigint,
  constraint instance_pkey PRIMARY KEY (shard, id),
  constraint instance_outcome_check CHECK ((outcome = 'compensated'::text)),
  constraint instance_status_check CHECK ((status = ANY (ARRAY['running'::text, 'suspended'::text, 'compensating'::text, 'completed'::text, 'failed'::text, 'canceled'::text])))
);

create table perdure.instance_input (
  shard smallint not null,
  instance_id text collate "C" not null,
  body text not null,
  constraint instance_input_pkey PRIMARY KEY (shard, instance_id)
);

create table perdure.latch (
  shard smallint not null,
  instance_id text collate "C" not null,
  scope_id bigint not null,
  node_id text collate "C" not null,
  group_id bigint not null,
  fired smallint not null,
  constraint latch_pkey PRIMARY KEY (shard, instance_id, scope_id, group_id, node_id),
  constraint latch_fired_check CHECK ((fired = ANY (ARRAY[0, 1])))
);

create table perdure.letter (
  shard smallint not null,
  id text collate "C" not null,
  n bigint not null generated always as identity,
  instance_id text collate "C" not null,
  flow text collate "C" not null,
  type text collate "C" not null,
  key text collate "C",
  data text not null,
  status text collate "C" not null,
  attempts integer not null,
  available_at bigint not null,
  last_error text,
  created_at bigint not null,
  updated_at bigint not null,
  version bigint not null,
  locked_by text collate "C",
  locked_until bigint,
  constraint letter_pkey PRIMARY KEY (shard, id),
  constraint letter_check CHECK (((status = 'sending'::text) = (locked_by IS NOT NULL))),
  constraint letter_check1 CHECK (((locked_by IS NULL) = (locked_until IS NULL))),
  constraint letter_status_check CHECK ((status = ANY (ARRAY['ready'::text, 'sending'::text, 'dead'::text])))
);

create table perdure.migration (
  number integer not null,
  name text not null,
  applied_at bigint not null,
  constraint migration_pkey PRIMARY KEY (number)
);

create table perdure.outbox (
  shard smallint not null,
  id text collate "C" not null,
  n bigint not null generated always as identity,
  instance_id text collate "C" not null,
  body text not null,
  constraint outbox_pkey PRIMARY KEY (shard, id)
);

create table perdure.plan (
  hash text collate "C" not null,
  name text not null,
  version integer not null,
  body text not null,
  links text,
  constraint plan_pkey PRIMARY KEY (hash)
);

create table perdure.schedule (
  shard smallint not null,
  name text collate "C" not null,
  flow text collate "C" not null,
  spec text not null,
  status text collate "C" not null,
  next_at bigint,
  last_at bigint,
  since bigint not null,
  version bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint schedule_pkey PRIMARY KEY (shard, name),
  constraint schedule_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text])))
);

create table perdure.scope (
  shard smallint not null,
  instance_id text collate "C" not null,
  id bigint not null,
  parent_id bigint,
  owner_id bigint,
  node_id text,
  item_index integer,
  item text,
  drains_id bigint,
  constraint scope_pkey PRIMARY KEY (shard, instance_id, id)
);

create table perdure.snapshot (
  shard smallint not null,
  instance_id text collate "C" not null,
  n bigint not null,
  body text not null,
  constraint snapshot_pkey PRIMARY KEY (shard, instance_id, n)
);

create table perdure.subscription (
  shard smallint not null,
  instance_id text collate "C" not null,
  token_id bigint not null,
  type text collate "C" not null,
  key text collate "C" not null,
  since bigint not null default 0,
  constraint subscription_pkey PRIMARY KEY (shard, instance_id, token_id, type, key)
);

create table perdure.token (
  shard smallint not null,
  instance_id text collate "C" not null,
  id bigint not null,
  scope_id bigint not null,
  node_id text not null,
  via text,
  handler text collate "C",
  seq integer,
  status text collate "C" not null,
  mode text not null,
  groups text,
  visit integer not null,
  attempts integer not null,
  crashes integer not null,
  max_attempts bigint not null,
  priority bigint not null,
  available_at bigint not null,
  wait text,
  wake_at bigint,
  wake text,
  last_error text,
  hops integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  version bigint not null,
  locked_by text collate "C",
  locked_at bigint,
  locked_until bigint,
  constraint token_pkey PRIMARY KEY (shard, instance_id, id),
  constraint token_check CHECK (((status = 'executing'::text) = (locked_by IS NOT NULL))),
  constraint token_check1 CHECK (((locked_by IS NULL) = (locked_until IS NULL))),
  constraint token_mode_check CHECK ((mode = ANY (ARRAY['forward'::text, 'compensation'::text]))),
  constraint token_status_check CHECK ((status = ANY (ARRAY['created'::text, 'ready'::text, 'executing'::text, 'waiting'::text, 'completed'::text, 'failed'::text, 'terminated'::text])))
);

create table perdure.undo (
  shard smallint not null,
  instance_id text collate "C" not null,
  id bigint not null,
  saga_id bigint not null,
  node_id text not null,
  token_id bigint not null,
  visit integer not null,
  result text,
  item_index integer,
  item text,
  in_doubt smallint not null,
  status text not null,
  by_id bigint,
  fault text,
  constraint undo_pkey PRIMARY KEY (shard, instance_id, id),
  constraint undo_in_doubt_check CHECK ((in_doubt = ANY (ARRAY[0, 1]))),
  constraint undo_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text, 'failed'::text])))
);

create table perdure.variable (
  shard smallint not null,
  instance_id text collate "C" not null,
  scope_id bigint not null,
  space text collate "C" not null,
  name text collate "C" not null,
  place bigint not null,
  value text not null,
  constraint variable_pkey PRIMARY KEY (shard, instance_id, scope_id, space, name),
  constraint variable_space_check CHECK ((space = ANY (ARRAY['results'::text, 'vars'::text])))
);

CREATE INDEX inbox_pending ON perdure.inbox USING btree (shard, expires_at) WHERE (status = 'pending'::text);

CREATE INDEX inbox_topic ON perdure.inbox USING btree (shard, type, key, instance_id) WHERE (status = 'pending'::text);

CREATE INDEX letter_lease ON perdure.letter USING btree (shard, locked_until) WHERE (status = 'sending'::text);

CREATE INDEX letter_list ON perdure.letter USING btree (shard, n);

CREATE INDEX letter_queue ON perdure.letter USING btree (shard, instance_id, n) WHERE (status <> 'dead'::text);

CREATE INDEX letter_ready ON perdure.letter USING btree (shard, available_at) WHERE (status = 'ready'::text);

CREATE INDEX letter_sending ON perdure.letter USING btree (shard, instance_id) WHERE (status = 'sending'::text);

CREATE INDEX outbox_order ON perdure.outbox USING btree (shard, n);

CREATE INDEX plan_links ON perdure.plan USING btree (name) WHERE (links IS NOT NULL);

CREATE INDEX schedule_due ON perdure.schedule USING btree (shard, flow, next_at) WHERE ((status = 'active'::text) AND (next_at IS NOT NULL));

CREATE INDEX subscription_topic ON perdure.subscription USING btree (shard, type, key);

CREATE INDEX token_claim ON perdure.token USING btree (shard, handler, ((- priority)), available_at) WHERE ((status = 'ready'::text) AND (handler IS NOT NULL));

CREATE INDEX token_due ON perdure.token USING btree (shard, wake_at) WHERE ((status = 'waiting'::text) AND (wake_at IS NOT NULL));

CREATE INDEX token_lease ON perdure.token USING btree (shard, locked_until) WHERE (status = 'executing'::text);

CREATE INDEX token_lone ON perdure.token USING btree (shard, handler, ((- priority)), available_at) WHERE ((status = 'ready'::text) AND (crashes >= 2));

CREATE VIEW perdure.workflow_instance AS
 SELECT instance.id AS instance_id,
    instance.flow AS workflow_type,
    instance.flow_version AS workflow_version,
    instance.key AS biz_key,
        CASE instance.status
            WHEN 'completed'::text THEN 'COMPLETED'::text
            WHEN 'failed'::text THEN 'FAILED'::text
            WHEN 'canceled'::text THEN 'CANCELED'::text
            ELSE 'RUNNING'::text
        END AS status,
    step.seq AS current_step_seq,
    substr(step.handler, (length(instance.flow) + 2)) AS current_step_type,
    COALESCE(instance.output, 'null'::text) AS context,
    instance.created_at,
    instance.updated_at,
        CASE
            WHEN (instance.status = 'completed'::text) THEN instance.ended_at
            ELSE NULL::bigint
        END AS completed_at,
        CASE
            WHEN (instance.status = 'failed'::text) THEN instance.ended_at
            ELSE NULL::bigint
        END AS failed_at,
        CASE
            WHEN (instance.status = 'canceled'::text) THEN instance.ended_at
            ELSE NULL::bigint
        END AS canceled_at
   FROM (perdure.instance
     JOIN perdure.token step ON ((((step.shard = instance.shard) AND (step.instance_id = instance.id)) AND (step.id = ( SELECT token.id
           FROM perdure.token
          WHERE (((token.shard = instance.shard) AND (token.instance_id = instance.id)) AND (token.seq IS NOT NULL))
          ORDER BY (token.status = 'completed'::text),
                CASE token.status
                    WHEN 'completed'::text THEN (- token.seq)
                    ELSE token.seq
                END
         LIMIT 1)))));

CREATE VIEW perdure.workflow_step AS
 SELECT token.instance_id,
    token.seq AS step_seq,
    substr(token.handler, (length(instance.flow) + 2)) AS step_type,
        CASE token.status
            WHEN 'created'::text THEN 'PENDING'::text
            WHEN 'ready'::text THEN 'READY'::text
            WHEN 'executing'::text THEN 'RUNNING'::text
            WHEN 'waiting'::text THEN 'WAITING'::text
            WHEN 'completed'::text THEN 'DONE'::text
            ELSE 'DEAD'::text
        END AS status,
    token.attempts,
    token.max_attempts,
        CASE
            WHEN (token.status = ANY (ARRAY['ready'::text, 'executing'::text])) THEN token.available_at
            ELSE NULL::bigint
        END AS next_run_at,
    token.locked_by,
    token.locked_until,
    perdure.member(token.wait, 'type'::text) AS waiting_event_type,
    COALESCE(token.wake_at, ("substring"(token.wait, '"until":([0-9]+)'::text))::bigint) AS deadline_at,
        CASE
            WHEN (token.status = 'terminated'::text) THEN 'CANCELED'::text
            WHEN (perdure.member(token.last_error, 'code'::text) = 'LEASE_EXPIRED'::text) THEN 'LEASE_EXPIRED'::text
            ELSE perdure.member(token.last_error, 'message'::text)
        END AS last_error,
    token.created_at,
    token.updated_at
   FROM (perdure.token
     JOIN perdure.instance ON (((instance.shard = token.shard) AND (instance.id = token.instance_id))))
  WHERE (token.seq IS NOT NULL);
