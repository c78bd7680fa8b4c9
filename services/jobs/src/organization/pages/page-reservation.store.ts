// Reserves pages under a plan with a hard limit. Whether a reservation counts is read from the status of its job, when the next reservation
// is made. So the commit that completes a job both ends its reservation and counts its pages, and the commit that fails or cancels a job
// ends its reservation, whatever crashes afterwards.
import { Database, statement, type Queryable, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { PageBalance } from './domain/quota-exceeded.js';
import { usedHundredths } from './usage.store.js';

/** How long a reservation counts without its job: longer than any event is delayed. */
export const RESERVATION_SECONDS = 900;
const HUNDREDTHS_PER_PAGE = 100;
const LEASE = `interval '${RESERVATION_SECONDS} seconds'`;

const LIVE = `j.status in ('queued', 'processing')`;
/** The job does not exist yet, or had already ended and is about to be retried. */
const AHEAD = `r.expires_at > now() and (j.id is null or j.completed_at <= r.reserved_at)`;
const WITH_JOB = `page_reservations r left join jobs j on j.tenant_id = r.tenant_id and j.id = r.job_id`;

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
/** The reservation of the job $2 becomes $3, if that is less or fits within the limit. */
const adjust = statement(
  'page_reservations.adjust',
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
 * Reservations of queued and running jobs are extended. A reservation without a job is kept for a day: a job whose event is late is under
 * the limit, too.
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

/** What a job is expected to need, in hundredths of a page. */
export interface ReservedJob {
  jobId: string;
  hundredths: number;
}

export interface ReservedPages extends PageBalance {
  fits: boolean;
}

export interface ReservationOutcome extends ReservedPages {
  /** Jobs without an earlier reservation that still counts. */
  newJobIds: string[];
}

interface AdjustedRow {
  reserved: number;
  used: number;
  pages_limit: number;
  fits: boolean;
  resets_on: string;
}

interface ReservedRow extends Omit<AdjustedRow, 'pages_limit'> {
  needed: number;
  new_ids: string[];
}

const balanceOf = (row: Omit<AdjustedRow, 'fits'>, needed: number): PageBalance => ({
  usedPages: row.used / HUNDREDTHS_PER_PAGE,
  reservedPages: row.reserved / HUNDREDTHS_PER_PAGE,
  neededPages: needed / HUNDREDTHS_PER_PAGE,
  pagesLimit: row.pages_limit,
  resetsOn: row.resets_on,
});

@Injectable()
export class PageReservationStore {
  constructor(private readonly database: Database) {}

  /** Call it before `reserve` or `adjust`, in the same transaction: each sees what those before it have reserved. */
  lock(transaction: Transaction, liveTenantId: string): Promise<void> {
    return transaction.lock(`pages ${liveTenantId}`);
  }

  /** Reserves for all of the jobs or for none. An existing reservation is extended. */
  async reserve(
    transaction: Queryable,
    { liveTenantId, jobs, pagesLimit }: { liveTenantId: string; jobs: readonly ReservedJob[]; pagesLimit: number },
  ): Promise<ReservationOutcome> {
    const columns = [jobs.map(({ jobId }) => jobId), jobs.map(({ hundredths }) => hundredths)];
    const [row] = await transaction.query<ReservedRow>(reserve, [liveTenantId, ...columns, pagesLimit]);
    if (!row) throw new Error('the reservation returned no row');
    const { fits, new_ids: newJobIds, needed } = row;
    return { fits, newJobIds, ...balanceOf({ ...row, pages_limit: pagesLimit }, needed) };
  }

  /** Changes the reservation of a job to what it is now known to need. Null when the job has none. */
  async adjust(
    transaction: Queryable,
    liveTenantId: string,
    { jobId, hundredths }: ReservedJob,
  ): Promise<ReservedPages | null> {
    const [row] = await transaction.query<AdjustedRow>(adjust, [liveTenantId, jobId, hundredths]);
    return row ? { fits: row.fits, ...balanceOf(row, hundredths) } : null;
  }

  /** Reservations of queued and processing jobs are kept. */
  async release(liveTenantId: string, jobIds: readonly string[]): Promise<void> {
    await this.database.query(release, [liveTenantId, jobIds]);
  }

  /** Removes reservations that no longer count. Returns how many. */
  async sweep(limit: number): Promise<number> {
    return (await this.database.query(sweep, [limit])).length;
  }
}
