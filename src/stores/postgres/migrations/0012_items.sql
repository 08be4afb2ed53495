-- Scopes of maps keep what comes of their items, each under its number, in a space of its own.

alter table perdure.variable
  drop constraint variable_space_check,
  add constraint variable_space_check check (space in ('results', 'vars', 'items'));
