-- Work that waits for people. All of a task stands in the wait of its token; here is what people
-- look for it by, written by the commits that alter it and gone with the one that ends it.

create table task (
  instance_id   text    not null,
  token_id      integer not null,
  node_id       text    not null,
  kind          text    not null check (kind in ('task', 'approval')),
  flow          text    not null,
  tenant        text,
  assignee      text,
  priority      integer not null,
  due_at        integer,
  follow_up_at  integer,
  created_at    integer not null,
  primary key (instance_id, token_id)
) strict, without rowid;

-- The lists that a task is in: of all that are open, of its flow, of its tenant, of whom it is
-- assigned to, and of everybody it is offered to. Each can be read from any place on, in any order.
create table task_list (
  instance_id  text    not null,
  token_id     integer not null,
  list         text    not null check (list in
    ('open', 'flow', 'tenant', 'assignee', 'all', 'user', 'group')),
  -- Whose list it is; empty where there is only one.
  name         text    not null,
  by_created   integer not null,
  -- What has no date comes last.
  by_due       integer not null,
  by_priority  integer not null,
  primary key (instance_id, token_id, list, name)
) strict, without rowid;

create index task_list_created on task_list (
  -- Serves tasksByCreated.
  list, name, by_created, instance_id, token_id
);

create index task_list_due on task_list (
  -- Serves tasksByDue.
  list, name, by_due, instance_id, token_id
);

create index task_list_priority on task_list (
  -- Serves tasksByPriority.
  list, name, by_priority, instance_id, token_id
);
