-- kiln: additive
-- Of one tenant's jobs, those of a single upload (0) go before those of a batch (1). Between tenants it changes nothing.
-- Workers of the release before claim on as they did, with a sort instead of the index that goes.
alter table jobs add column priority smallint not null default 0 check (priority in (0, 1));
create index jobs_in_turn on jobs (tenant_id, priority, run_after, id) where status = 'queued' and ready;
drop index jobs_claimable;
