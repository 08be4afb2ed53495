-- The traceparent of whoever wrote it; null where that had none.
alter table letter add column trace text;
