-- kiln: additive
-- Who looks for objects without a file, how far it has come, and until when the others leave it alone. One row.
create table orphan_search (
  only_one      boolean        primary key default true check (only_one),
  -- A pass looks at the file ids that were made from `seen_until` on, up to `pass_until`.
  seen_until    timestamptz(3) not null default '-infinity',
  -- Null between two passes.
  pass_until    timestamptz(3),
  -- The last tenant of this pass that is done.
  after_tenant  text           not null default '',
  next_pass_at  timestamptz(3) not null default now(),
  fence         integer        not null default 0,
  leased_until  timestamptz(3) not null default '-infinity'
);
insert into orphan_search default values;
