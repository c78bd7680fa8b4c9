-- kiln: additive
-- A list that searches may read all of a tenant's ids in order. The order by size is an expression, and Postgres reads a table
-- unless an index has the column itself, too: with it, each order can be read from its index alone.

create index files_by_status_size_key on file_rows (tenant_id, status, (coalesce(size_bytes, -1)), id) include (size_bytes);
create index files_by_space_size_key on file_rows (tenant_id, space, status, (coalesce(size_bytes, -1)), id) include (size_bytes);
drop index files_by_status_size, files_by_space_size;
alter index files_by_status_size_key rename to files_by_status_size;
alter index files_by_space_size_key rename to files_by_space_size;
