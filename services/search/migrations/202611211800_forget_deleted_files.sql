-- kiln: additive
-- A file that was deleted is first written down here, in the transaction of its event, and then taken out of the index, where
-- its row stays as a tombstone under the highest run there can be: an index command that comes late is refused.

create table file_removal (
  tenant_id    uuid           not null,
  file_id      uuid           not null,
  requested_at timestamptz(3) not null default now(),
  primary key (tenant_id, file_id)
);
create index file_removal_in_turn on file_removal (requested_at);

-- Tombstones go when no event and no run can mention their file any more.
alter table file add column removed_at timestamptz(3);
create index file_removed on file (removed_at) where removed_at is not null;
