// Room for pages under a hard limit. A reservation is never told that its job has ended: whether it counts is read from the job's
// row, in the statement that judges the next one. So a job that completes stops being reserved in the same commit that counts its
// pages, and one that fails or is cancelled in the commit that says so, whoever did it and whatever dies afterwards.
import { statement, type Queryable } from '@kiln/platform';
import type { PageBalance } from '../domain/quota-exceeded.js';
import { usedHundredths } from './usage.store.js';

/** How long a reservation counts whose job is not there (yet): longer than an event is late. */
export const RESERVATION_SECONDS = 900;
const HUNDREDTHS_PER_PAGE = 100;
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
const HELD = `held as materialized (
     select r.job_id, r.hundredths from ${WITH_JOB} where r.tenant_id = $1 and (${LIVE} or ${AHEAD})
   )`;
const RESETS_ON = `to_char((date_trunc('month', now() at time zone 'utc') + interval '1 month'), 'YYYY-MM-DD')`;
/** $2 and $3 are the jobs and what they need, $4 is the limit of pages. */
const reserve = statement(
  'page_reservations.reserve',
  `with wanted as materialized (
     select job_id, max(hundredths) as hundredths from unnest($2::uuid[], $3::bigint[]) as given (job_id, hundredths) group by job_id
   ), ${HELD}, more as materialized (
     select w.job_id, w.hundredths - coalesce(h.hundredths, 0) as hundredths, h.job_id is null as is_new
     from wanted w left join held h using (job_id) where w.hundredths > coalesce(h.hundredths, 0)
   ), room as materialized (
     select (select coalesce(sum(hundredths), 0)::bigint from held) as reserved,
       (select coalesce(sum(hundredths), 0)::bigint from more) as needed, ${usedHundredths('$1::uuid')} as used
   ), put as (
     insert into page_reservations (tenant_id, job_id, hundredths, pages_limit, reserved_at, expires_at)
     select $1, job_id, hundredths, $4::bigint, clock_timestamp(), now() + ${LEASE} from wanted, room
     where needed = 0 or used + reserved + needed <= 100 * $4::bigint
     order by job_id
     on conflict (tenant_id, job_id) do update set expires_at = excluded.expires_at, pages_limit = excluded.pages_limit,
       hundredths = case when page_reservations.job_id in (select job_id from more where is_new)
         then excluded.hundredths else greatest(page_reservations.hundredths, excluded.hundredths) end,
       reserved_at = case when page_reservations.job_id in (select job_id from more where is_new)
         then excluded.reserved_at else page_reservations.reserved_at end
     returning 1
   )
   select reserved, needed, used, exists (select 1 from put) as fits,
     coalesce((select array_agg(job_id) from more where is_new), '{}') as new_ids, ${RESETS_ON} as resets_on
   from room`,
);
const find = statement(
  'page_reservations.find',
  'select 1 from page_reservations where tenant_id = $1 and job_id = $2',
);
/** What the job $2 holds becomes $3, if that is less or there is room for it. */
const settle = statement(
  'page_reservations.settle',
  `with ${HELD}, room as materialized (
     select own.pages_limit, own.hundredths as own, ${usedHundredths('$1::uuid')} as used,
       (select coalesce(sum(hundredths), 0)::bigint from held where job_id <> $2) as reserved
     from page_reservations own where own.tenant_id = $1 and own.job_id = $2
   ), put as (
     update page_reservations set hundredths = $3::bigint
     where tenant_id = $1 and job_id = $2
       and exists (select 1 from room where own >= $3::bigint or used + reserved + $3::bigint <= 100 * pages_limit)
     returning 1
   )
   select pages_limit, used, reserved, exists (select 1 from put) as fits, ${RESETS_ON} as resets_on from room`,
);
const release = statement(
  'page_reservations.release',
  `delete from page_reservations r where r.tenant_id = $1 and r.job_id = any ($2::uuid[])
     and not exists (select 1 from jobs j where j.tenant_id = r.tenant_id and j.id = r.job_id and ${LIVE})`,
);
/**
 * Those of jobs that are still at work are looked at again when as much time has passed. One without a job stays for a day: a job
 * whose event is late is under the limit, too.
 */
const sweep = statement(
  'page_reservations.sweep',
  `with due as materialized (
     select r.tenant_id, r.job_id, ${LIVE} as is_live from ${WITH_JOB}
     where r.expires_at < now() and (j.id is not null or r.reserved_at < now() - interval '1 day')
     order by r.expires_at limit $1 for update of r skip locked
   ), kept as (
     update page_reservations r set expires_at = now() + ${LEASE} from due
     where due.is_live and r.tenant_id = due.tenant_id and r.job_id = due.job_id
   )
   delete from page_reservations r using due
   where due.is_live is not true and r.tenant_id = due.tenant_id and r.job_id = due.job_id returning 1`,
);

/** What a job is about to need, in hundredths of a page. */
export interface ReservedJob {
  jobId: string;
  hundredths: number;
}

export interface Settlement extends PageBalance {
  fits: boolean;
}

export interface Judgement extends Settlement {
  /** Jobs that had no reservation that counted. */
  newJobIds: string[];
}

interface SettledRow {
  reserved: number;
  used: number;
  pages_limit: number;
  fits: boolean;
  resets_on: string;
}

interface JudgedRow extends Omit<SettledRow, 'pages_limit'> {
  needed: number;
  new_ids: string[];
}

const balanceOf = (row: Omit<SettledRow, 'fits'>, needed: number): PageBalance => ({
  usedPages: row.used / HUNDREDTHS_PER_PAGE,
  reservedPages: row.reserved / HUNDREDTHS_PER_PAGE,
  neededPages: needed / HUNDREDTHS_PER_PAGE,
  pagesLimit: row.pages_limit,
  resetsOn: row.resets_on,
});

export class PageReservationStore {
  constructor(private readonly database: Queryable) {}

  /** Before `reserve`, in its transaction: the tenant's reservations are judged one after the other. */
  async lock(transaction: Queryable, liveTenantId: string): Promise<void> {
    await transaction.query(lock, [liveTenantId]);
  }

  /** For each of the jobs, or for none of them. What a job holds already it keeps, for longer. */
  async reserve(
    transaction: Queryable,
    { liveTenantId, jobs, pagesLimit }: { liveTenantId: string; jobs: readonly ReservedJob[]; pagesLimit: number },
  ): Promise<Judgement> {
    const columns = [jobs.map(({ jobId }) => jobId), jobs.map(({ hundredths }) => hundredths)];
    const [row] = await transaction.query<JudgedRow>(reserve, [liveTenantId, ...columns, pagesLimit]);
    if (!row) throw new Error('a count has a row');
    const { fits, new_ids: newJobIds, needed } = row;
    return { fits, newJobIds, ...balanceOf({ ...row, pages_limit: pagesLimit }, needed) };
  }

  /** Whether the job was accepted under a plan that ends hard. */
  async isReserved(liveTenantId: string, jobId: string): Promise<boolean> {
    return (await this.database.query(find, [liveTenantId, jobId])).length > 0;
  }

  /** After `lock`: the job holds what it is known to need; null when nothing was reserved for it. */
  async settle(
    transaction: Queryable,
    liveTenantId: string,
    { jobId, hundredths }: ReservedJob,
  ): Promise<Settlement | null> {
    const [row] = await transaction.query<SettledRow>(settle, [liveTenantId, jobId, hundredths]);
    return row ? { fits: row.fits, ...balanceOf(row, hundredths) } : null;
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
