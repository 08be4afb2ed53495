-- The traceparent of whoever wrote it; null where that had none.
alter table perdure.letter add column trace text;
