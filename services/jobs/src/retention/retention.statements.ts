// The statements of retention. A batch is one transaction of them.
import { statement } from '@kiln/platform';

/**
 * Locks the mark and returns it, with the time up to which this batch reads: at most $2 seconds after the mark, and $1 days ago. No row when another
 * process has the mark, or nothing is due.
 */
export const takeMark = statement(
  'retention.take_mark',
  `select examined_until as "time", tenant_id as "tenantId", job_id as "jobId",
     least(examined_until + make_interval(secs => $2), now() - make_interval(hours => 24 * $1::int))::timestamptz(3) as until,
     examined_until + make_interval(secs => $2) >= now() - make_interval(hours => 24 * $1::int) as "isLast"
   from job_retention where examined_until < now() - make_interval(hours => 24 * $1::int) for update skip locked`,
);

const ENDED = `status not in ('queued', 'processing')`;

/**
 * Examines up to $5 jobs in the order of their end, after the mark ($1, $2, $3) and before $4. Of the jobs of their files, it deletes up to $6 that have
 * ended, if a newer job of the file ended before $4. A newer job has a higher id, which contains the time of the request, and was not created earlier here: a
 * request can arrive late, and the clock of a gateway can be behind. If the two disagree, either job may be the newest of the file, so both are kept. A
 * locked job is skipped. The lock checks the status again, because a caller may have retried the job meanwhile.
 */
export const deleteSuperseded = statement(
  'retention.delete_superseded',
  `with examined as materialized (
     select tenant_id, id, file_id, completed_at from jobs
     where completed_at >= $1 and completed_at < $4 and (completed_at, tenant_id, id) > ($1::timestamptz(3), $2::uuid, $3::uuid)
     order by completed_at, tenant_id, id limit $5
   ), of_files as (
     select j.tenant_id, j.id, j.status, max(j.id::text collate "C") filter (where j.completed_at < $4)
       over (partition by j.tenant_id, j.file_id order by j.created_at desc) as newest_id
     from (select distinct tenant_id, file_id from examined) file
       join jobs j on j.tenant_id = file.tenant_id and j.file_id = file.file_id
   ), superseded as materialized (
     select tenant_id, id from of_files where ${ENDED} and id::text collate "C" < newest_id limit $6
   ), locked as materialized (
     select j.tenant_id, j.id from superseded join jobs j using (tenant_id, id) where j.${ENDED} for update of j skip locked
   ), deleted as (
     delete from jobs j using locked where j.tenant_id = locked.tenant_id and j.id = locked.id
     returning j.tenant_id, j.id, j.file_id, j.status
   ), counted as (
     insert into superseded_jobs as s (tenant_id, file_id, status, jobs)
     select tenant_id, file_id, status, count(*) from deleted group by 1, 2, 3 order by 1, 2, 3
     on conflict (tenant_id, file_id, status) do update set jobs = s.jobs + excluded.jobs
   ), last as (
     select * from examined order by completed_at desc, tenant_id desc, id desc limit 1
   )
   select (select count(*)::int from examined) as examined, (select count(*)::int from superseded) as superseded,
     (select completed_at from last) as "lastTime", (select tenant_id from last) as "lastTenantId", (select id from last) as "lastJobId",
     coalesce((select array_agg(tenant_id) from deleted), '{}') as "tenantIds", coalesce((select array_agg(id) from deleted), '{}') as "jobIds"`,
);

export const moveMark = statement(
  'retention.move_mark',
  'update job_retention set examined_until = $1, tenant_id = $2, job_id = $3',
);
