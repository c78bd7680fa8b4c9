-- kiln: additive
-- Lists of jobs by every combination of space and status read as many rows as they show: the filters lead the index, and a
-- list over all statuses merges five ranges. Replaces the index that knew neither (the release before never read it).
create index jobs_by_status on jobs (tenant_id, status, created_at, id);
create index jobs_by_space on jobs (tenant_id, space, status, created_at, id);
drop index jobs_by_created;
