-- Scopes of maps keep what comes of their items, each under its number, in a space of its own. Which
-- spaces there are is said by the table, and SQLite alters no check: it is made anew.

create table variable_anew (
  instance_id  text    not null,
  scope_id     integer not null,
  space        text    not null check (space in ('results', 'vars', 'items')),
  name         text    not null,
  -- Grows with every first write: names come back in the order in which they came.
  place        integer not null,
  value        text    not null,
  primary key (instance_id, scope_id, space, name)
) strict, without rowid;

insert into variable_anew (instance_id, scope_id, space, name, place, value)
select instance_id, scope_id, space, name, place, value
  from variable;

drop table variable;

alter table variable_anew rename to variable;
