-- kiln: additive
-- What the steps of a job have used: {extraction?: {key, page_count, characters, duration_seconds}, embedding?: {key, model,
-- chunks, tokens}}. Written by the step that used it, read when the job is counted.
alter table jobs add column usage jsonb not null default '{}';
