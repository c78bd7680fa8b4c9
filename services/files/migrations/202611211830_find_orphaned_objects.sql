-- kiln: additive
-- Who looks for objects without a file, how far it has come, and until when the others leave it alone. One row.
create table orphan_search (
  only_one        boolean        primary key default true check (only_one),
  -- The same id stands in the bucket (domain/bucket-marker.ts): nothing is removed from a bucket that has another one.
  installation_id uuid           not null default gen_random_uuid(),
  -- A pass looks at the file ids that were made from `seen_until` on, up to `pass_until`.
  seen_until      timestamptz(3) not null default '-infinity',
  -- Null between two passes.
  pass_until      timestamptz(3),
  -- The last tenant of this pass that is done.
  after_tenant    text           not null default '',
  -- File ids that this pass has found in the bucket, with and without a file.
  ids_seen        bigint         not null default 0,
  -- Why the last pass has removed nothing; null when it has ended as it should.
  obstacle        text           check (obstacle in ('foreign_bucket', 'unmarked_bucket', 'older_database', 'too_many_orphans')),
  next_pass_at    timestamptz(3) not null default now(),
  fence           integer        not null default 0,
  leased_until    timestamptz(3) not null default '-infinity'
);
insert into orphan_search default values;

-- Orphans of the pass under way. They are removed when it has ended, and only if they are few among all that it has seen.
create table orphan_candidates (
  tenant_id uuid not null,
  file_id   uuid not null,
  primary key (tenant_id, file_id)
);
