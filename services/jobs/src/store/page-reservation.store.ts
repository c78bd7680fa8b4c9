// Room for pages under a hard limit. A reservation is never told that its job has ended: whether it counts is read from the job's
// row, in the statement that judges the next one. So a job that completes stops being reserved in the same commit that counts its
// pages, and one that fails or is cancelled in the commit that says so, whoever did it and whatever dies afterwards.
import { statement, type Queryable } from '@kiln/platform';
import { usedHundredths } from './usage.store.js';

/** How long a reservation counts whose job is not there (yet): longer than an event is late. */
export const RESERVATION_SECONDS = 900;
const LEASE = `interval '${RESERVATION_SECONDS} seconds'`;

const LIVE = `j.status in ('queued', 'processing')`;
/** Not yet a job, or one that had ended when the reservation was made and is about to be retried. */
const AHEAD = `r.expires_at > now() and (j.id is null or j.completed_at <= r.reserved_at)`;
const WITH_JOB = `page_reservations r left join jobs j on j.tenant_id = r.tenant_id and j.id = r.job_id`;

/** One judges at a time, with a look at what the one before has written: so it is a statement before the one that looks. */
const lock = statement(
  'page_reservations.lock',
  `select pg_advisory_xact_lock(hashtextextended('pages ' || $1::text, 0))`,
);
const reserve = statement(
  'page_reservations.reserve',
  `with wanted as materialized (
     select distinct job_id from unnest($2::uuid[]) as given (job_id)
   ), held as materialized (
     select r.job_id from ${WITH_JOB} where r.tenant_id = $1 and (${LIVE} or ${AHEAD})
   ), new as materialized (
     select job_id from wanted where job_id not in (select job_id from held)
   ), room as materialized (
     select (select count(*)::int from held) as reserved, (select count(*)::int from new) as needed,
       ${usedHundredths('$1::uuid')} as used
   ), put as (
     insert into page_reservations (tenant_id, job_id, reserved_at, expires_at)
     select $1, job_id, clock_timestamp(), now() + ${LEASE} from wanted, room
     where needed = 0 or used + 100 * (reserved + needed) <= 100 * $3::bigint
     order by job_id
     on conflict (tenant_id, job_id) do update set expires_at = excluded.expires_at,
       reserved_at = case when page_reservations.job_id in (select job_id from new)
         then excluded.reserved_at else page_reservations.reserved_at end
     returning 1
   )
   select reserved, needed, used, exists (select 1 from put) as fits,
     coalesce((select array_agg(job_id) from new), '{}') as new_ids,
     to_char((date_trunc('month', now() at time zone 'utc') + interval '1 month'), 'YYYY-MM-DD') as resets_on
   from room`,
);
const release = statement(
  'page_reservations.release',
  `delete from page_reservations r where r.tenant_id = $1 and r.job_id = any ($2::uuid[])
     and not exists (select 1 from jobs j where j.tenant_id = r.tenant_id and j.id = r.job_id and ${LIVE})`,
);
/** Those of jobs that are still at work are looked at again when as much time has passed. */
const sweep = statement(
  'page_reservations.sweep',
  `with due as materialized (
     select r.tenant_id, r.job_id from page_reservations r where r.expires_at < now()
     order by r.expires_at limit $1 for update skip locked
   ), live as materialized (
     select due.* from due join jobs j on j.tenant_id = due.tenant_id and j.id = due.job_id and ${LIVE}
   ), kept as (
     update page_reservations r set expires_at = now() + ${LEASE} from live where r.tenant_id = live.tenant_id and r.job_id = live.job_id
   )
   delete from page_reservations r using due where r.tenant_id = due.tenant_id and r.job_id = due.job_id
     and (r.tenant_id, r.job_id) not in (select tenant_id, job_id from live) returning 1`,
);

export interface Judgement {
  fits: boolean;
  /** Jobs that had no reservation that counted. */
  newJobIds: string[];
  reservedPages: number;
  neededPages: number;
  usedPages: number;
  /** `YYYY-MM-DD`, the first day of the next month, in UTC. */
  resetsOn: string;
}

interface JudgedRow {
  reserved: number;
  needed: number;
  used: number;
  fits: boolean;
  new_ids: string[];
  resets_on: string;
}

export class PageReservationStore {
  constructor(private readonly database: Queryable) {}

  /** Before `reserve`, in its transaction: the tenant's reservations are judged one after the other. */
  async lock(transaction: Queryable, liveTenantId: string): Promise<void> {
    await transaction.query(lock, [liveTenantId]);
  }

  /** A page for each of the jobs, or for none of them. Jobs that hold one already need none, and keep theirs for longer. */
  async reserve(
    transaction: Queryable,
    { liveTenantId, jobIds, pagesLimit }: { liveTenantId: string; jobIds: readonly string[]; pagesLimit: number },
  ): Promise<Judgement> {
    const [row] = await transaction.query<JudgedRow>(reserve, [liveTenantId, jobIds, pagesLimit]);
    if (!row) throw new Error('a count has a row');
    const { reserved, needed, used, fits, new_ids: newJobIds, resets_on: resetsOn } = row;
    return { fits, newJobIds, reservedPages: reserved, neededPages: needed, usedPages: used / 100, resetsOn };
  }

  /** What queued and processing jobs hold stays. */
  async release(liveTenantId: string, jobIds: readonly string[]): Promise<void> {
    await this.database.query(release, [liveTenantId, jobIds]);
  }

  /** Lets go of reservations that count no more; answers how many. */
  async sweep(limit: number): Promise<number> {
    return (await this.database.query(sweep, [limit])).length;
  }
}
