-- Work that waits for people. All of a task stands in the wait of its token; here is what people
-- look for it by, written by the commits that alter it and gone with the one that ends it.

create table perdure.task (
  shard         smallint not null,
  instance_id   text     collate "C" not null,
  token_id      bigint   not null,
  node_id       text     not null,
  kind          text     not null check (kind in ('task', 'approval')),
  flow          text     not null,
  tenant        text,
  assignee      text,
  priority      bigint   not null,
  due_at        bigint,
  follow_up_at  bigint,
  created_at    bigint   not null,
  primary key (shard, instance_id, token_id)
);

-- The lists that a task is in: of all that are open, of its flow, of its tenant, of whom it is
-- assigned to, and of everybody it is offered to. Each can be read from any place on, in any order.
create table perdure.task_list (
  shard        smallint not null,
  instance_id  text     collate "C" not null,
  token_id     bigint   not null,
  list         text     collate "C" not null check (list in
    ('open', 'flow', 'tenant', 'assignee', 'all', 'user', 'group')),
  -- Whose list it is; empty where there is only one.
  name         text     collate "C" not null,
  by_created   bigint   not null,
  -- What has no date comes last.
  by_due       bigint   not null,
  by_priority  bigint   not null,
  primary key (shard, instance_id, token_id, list, name)
);

create index task_list_created on perdure.task_list (
  -- Serves tasksByCreated.
  shard, list, name, by_created, instance_id, token_id
);

create index task_list_due on perdure.task_list (
  -- Serves tasksByDue.
  shard, list, name, by_due, instance_id, token_id
);

create index task_list_priority on perdure.task_list (
  -- Serves tasksByPriority.
  shard, list, name, by_priority, instance_id, token_id
);
