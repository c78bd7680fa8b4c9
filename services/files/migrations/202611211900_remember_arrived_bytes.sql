-- kiln: additive
-- The version of the bytes that arrived by a signed URL. The URL lives on for a while, and a second PUT would replace what
-- size and type were read from. Null for bytes that came through the gateway, and for those that arrived before this column.
alter table file_rows add column source_etag text;
create or replace view files as
select * from file_rows f
where nullif(exists (select 1 from space_deletions d
                     where d.tenant_id = f.tenant_id and d.space = f.space and d.cutoff >= f.created_at), true) is not null;
