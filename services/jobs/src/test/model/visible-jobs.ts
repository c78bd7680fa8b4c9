// What the model test sees of the engine's tables, and how it moves their time.
import type { JobRow } from '../../jobs/job.rows.js';
import type { JobsHarness } from '../jobs-harness.js';
import { statedEvents } from '../stated-events.js';

/** Far longer than any run of the test takes, so that real time never carries anything over the edge of a unit. */
export const UNIT_SECONDS = 10_000;

/** The visible state of a job. Times are in units from now, where they matter. */
export interface VisibleJob {
  status: JobRow['status'];
  ready: boolean;
  fence: number;
  attempts: number;
  failures: number;
  lostLeases: number;
  progress: number;
  error: string | null;
  dueIn: number | null;
  leaseEndsIn: number | null;
}

/** A job, null when it is gone with its file. */
export interface Visible {
  job: VisibleJob | null;
  /** Types of all events about it, in order. */
  events: string[];
  /** The result of each ended run, in order. */
  runs: string[];
}

const JOBS = `select to_jsonb(j) - 'id' as job, coalesce(r.runs, '{}') as runs
  from (select unnest($1::uuid[]) as id) known
  left join (
    select id, status, ready, fence, attempts, failures, lost_leases as "lostLeases", progress, error ->> 'code' as error,
      case status when 'queued' then round(extract(epoch from due_at - now()) / ${UNIT_SECONDS})::int end as "dueIn",
      round(extract(epoch from lease_expires_at - now()) / ${UNIT_SECONDS})::int as "leaseEndsIn"
    from jobs) j using (id)
  left join (
    select id, array_agg(status order by attempt) as runs from (
      select job_id as id, attempt, status from job_attempts
      union all select id, attempts, status from jobs where status = 'completed') run group by 1) r on r.id = known.id
  order by array_position($1::uuid[], known.id)`;
const TIMES = `select table_name as name, string_agg(format('%1$I = %1$I - make_interval(secs => $1)', column_name), ', ') as moves
  from information_schema.columns join information_schema.tables using (table_catalog, table_schema, table_name)
  where table_schema = current_schema() and table_type = 'BASE TABLE' and data_type = 'timestamp with time zone'
    and is_generated = 'NEVER' and table_name not in ('outbox', 'inbox')
  group by table_name`;

/** In the order of `jobs`. */
export async function visibleJobs(kiln: JobsHarness, jobs: { id: string; name: string }[]): Promise<Visible[]> {
  const events = new Map<string | undefined, string[]>(jobs.map(({ name }) => [name, []]));
  for (const { type, data } of await statedEvents(kiln.database)) events.get(data.job_id)?.push(type);
  const rows = await kiln.sql<Omit<Visible, 'events'>>(JOBS, [jobs.map(({ id }) => id)]);
  return rows.map((row, index) => ({ ...row, events: events.get(jobs[index]?.name) ?? [] }));
}

/** Moves every time that the engine keeps: to the engine, its database's clock has moved the other way. */
export async function clockOf(kiln: JobsHarness): Promise<(units: number) => Promise<void>> {
  const tables = await kiln.sql<{ name: string; moves: string }>(TIMES);
  return async (units) => {
    for (const { name, moves } of tables) await kiln.sql(`update ${name} set ${moves}`, [units * UNIT_SECONDS]);
  };
}
