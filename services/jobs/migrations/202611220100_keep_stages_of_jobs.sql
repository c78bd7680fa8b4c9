-- kiln: additive
-- A job's row is changed in place: no index knows of what changes. Where a job stands is kept in three narrow tables, one for
-- each stage, whose rows come and go with the job's status, in the same statement. (Before, each change of the status wrote the
-- wide row anew, and into every index of the table.)
alter table jobs set (fillfactor = 50);

-- status = 'queued'.
create table queued_jobs (
  tenant_id  uuid           not null,
  created_at timestamptz(3) not null,
  id         uuid           not null,
  -- The job's: a row of an earlier stay in the queue is told from the one of now.
  fence      integer        not null,
  space      text           not null,
  -- What limits on running jobs are counted by.
  provider   text,
  priority   smallint       not null,
  ready      boolean        not null,
  run_after  timestamptz    not null,
  primary key (tenant_id, created_at, id)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index queued_jobs_in_turn on queued_jobs (tenant_id, priority, run_after, id) where ready;
create index queued_jobs_by_space on queued_jobs (tenant_id, space, created_at, id);

-- status = 'processing'. As many as workers have room for; a renewal writes to no index.
create table job_leases (
  tenant_id  uuid        not null,
  id         uuid        not null,
  fence      integer     not null,
  worker_id  text        not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- status = 'completed', 'failed' or 'cancelled'.
create table ended_jobs (
  tenant_id  uuid           not null,
  status     text           not null check (status in ('completed', 'failed', 'cancelled')),
  created_at timestamptz(3) not null,
  id         uuid           not null,
  space      text           not null,
  ended_at   timestamptz(3) not null,
  primary key (tenant_id, status, created_at, id)
);
create index ended_jobs_by_space on ended_jobs (tenant_id, space, status, created_at, id);
-- Written in the order of time, so the newest are found by the block.
create index ended_jobs_by_end on ended_jobs using brin (ended_at) with (pages_per_range = 8, autosummarize = on);

-- What is deleted stands nowhere.
create function leave_stage() returns trigger language plpgsql as $$
begin
  delete from queued_jobs where tenant_id = old.tenant_id and created_at = old.created_at and id = old.id;
  delete from job_leases where tenant_id = old.tenant_id and id = old.id;
  delete from ended_jobs
  where tenant_id = old.tenant_id and status = old.status and created_at = old.created_at and id = old.id;
  return null;
end $$;
create trigger jobs_leave_stage after delete on jobs for each row execute function leave_stage();

-- The stage whose table the job stands in: its status, or 'waiting' for a queued job whose bytes are not there. Processes of the
-- release before don't say it, and keep the lease in the job's row: what they write is followed up here. To be dropped, with this
-- column, lease_expires_at and worker_id, by the release after this one.
alter table jobs add column stage text;

create function follow_up_stage() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from queued_jobs where tenant_id = old.tenant_id and created_at = old.created_at and id = old.id;
    delete from job_leases where tenant_id = old.tenant_id and id = old.id;
    delete from ended_jobs
    where tenant_id = old.tenant_id and status = old.status and created_at = old.created_at and id = old.id;
  end if;
  if new.status = 'queued' then
    insert into queued_jobs (tenant_id, created_at, id, fence, space, provider, priority, ready, run_after)
    values (new.tenant_id, new.created_at, new.id, new.fence, new.space, new.provider, new.priority, new.ready, new.run_after)
    on conflict do nothing;
  elsif new.status = 'processing' then
    insert into job_leases (tenant_id, id, fence, worker_id, expires_at)
    values (new.tenant_id, new.id, new.fence, coalesce(new.worker_id, ''), coalesce(new.lease_expires_at, now()))
    on conflict do nothing;
  else
    insert into ended_jobs (tenant_id, status, created_at, id, space, ended_at)
    values (new.tenant_id, new.status, new.created_at, new.id, new.space, coalesce(new.completed_at, now()))
    on conflict do nothing;
  end if;
  return null;
end $$;
create trigger jobs_follow_up_new after insert on jobs for each row when (new.stage is null)
  execute function follow_up_stage();
create trigger jobs_follow_up_stage after update on jobs for each row
  when (old.lease_expires_at is not null or new.lease_expires_at is not null
    or new.stage is distinct from case when new.status = 'queued' and not new.ready then 'waiting' else new.status end)
  execute function follow_up_stage();

-- The triggers have locked out writers until this commits: nothing is missed.
insert into queued_jobs (tenant_id, created_at, id, fence, space, provider, priority, ready, run_after)
  select tenant_id, created_at, id, fence, space, provider, priority, ready, run_after from jobs where status = 'queued';
insert into job_leases (tenant_id, id, fence, worker_id, expires_at)
  select tenant_id, id, fence, coalesce(worker_id, ''), coalesce(lease_expires_at, now()) from jobs where status = 'processing';
insert into ended_jobs (tenant_id, status, created_at, id, space, ended_at)
  select tenant_id, status, created_at, id, space, coalesce(completed_at, created_at) from jobs
  where status in ('completed', 'failed', 'cancelled') order by completed_at;

drop index jobs_in_turn;
drop index jobs_queued;
drop index jobs_queued_by_space;
drop index jobs_running;
drop index jobs_ended;
drop index jobs_ended_by_space;
