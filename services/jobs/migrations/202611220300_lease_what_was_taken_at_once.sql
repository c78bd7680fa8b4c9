-- kiln: additive
-- One lease for all jobs that a worker took of a tenant at once, in place of one for each: whether a job still runs stands in its
-- own row, under its fence. A lease outlives the runs it was for by a moment, and then says nothing.
create table worker_leases (
  tenant_id  uuid        not null,
  id         uuid        not null,
  worker_id  text        not null,
  expires_at timestamptz not null,
  job_ids    uuid[]      not null,
  -- Of the runs, in the order of their jobs.
  fences     integer[]   not null,
  primary key (tenant_id, id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
-- Ids don't get shorter by being compressed.
alter table worker_leases alter column job_ids set storage external, alter column fences set storage external;

-- Processes of the release before keep a row of job_leases for each run: it is followed by a lease on that job alone. What takes
-- such a lease away takes their row along. To be dropped, with job_leases, by the release after this one.
create function follow_up_lease() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from worker_leases where tenant_id = old.tenant_id and id = old.id;
    return null;
  end if;
  insert into worker_leases (tenant_id, id, worker_id, expires_at, job_ids, fences)
  values (new.tenant_id, new.id, new.worker_id, new.expires_at, array[new.id], array[new.fence])
  on conflict (tenant_id, id) do update
    set worker_id = excluded.worker_id, expires_at = excluded.expires_at, fences = excluded.fences;
  return null;
end $$;
create trigger job_leases_follow_up after insert or update or delete on job_leases for each row
  execute function follow_up_lease();

create function forget_job_lease() returns trigger language plpgsql as $$
begin
  delete from job_leases where tenant_id = old.tenant_id and id = old.id;
  return null;
end $$;
create trigger worker_leases_forget after delete on worker_leases for each row
  when (old.id = old.job_ids[1]) execute function forget_job_lease();

-- The trigger has locked out writers until this commits: nothing is missed.
insert into worker_leases (tenant_id, id, worker_id, expires_at, job_ids, fences)
  select tenant_id, id, worker_id, expires_at, array[id], array[fence] from job_leases;
