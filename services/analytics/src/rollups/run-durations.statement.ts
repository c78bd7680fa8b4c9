// Durations of runs as histograms, one row for each period. The arrays `buckets` and `runs` have a bucket and its count at each position. A
// bucket may occur several times; then its count is the sum. So the counts of a batch are appended, which takes microseconds. They are
// added up only when the arrays have become long.
import type { Grain } from './grain.domain.js';
import { FACTS, type Rollup } from './rollup.statement.js';

/** A row with more counts would exceed 2 kB, and Postgres would compress it at each change. Files of all kinds have about 150 buckets. */
const COUNTS_MAX = 300;
/** Rows of months keep the number of rows low that a long window adds up. */
const GRAINS: readonly Grain[] = ['hour', 'day', 'month'];

/** SQL: the histograms of `run_changes`. */
const CONTRIBUTED = GRAINS.map(
  (grain) => `select tenant_id, '${grain}' collate "C" as grain, date_trunc('${grain}', ended_at, 'UTC') as starts_at,
      array_agg(bucket) as buckets, array_agg(runs) as runs
    from run_changes group by 1, 3`,
).join(' union all ');

/** SQL: what facts contribute to the histograms of tenant $1, minus what the histograms have. */
const DIFFERENCE = `select tenant_id, grain, starts_at, array_agg(bucket), array_agg(runs) from (
    select tenant_id, grain, starts_at, bucket, sum(count)::int as runs from (
      select tenant_id, grain, starts_at, h.* from (with run_changes as (${FACTS.run_changes}) ${CONTRIBUTED}) expected,
        unnest(buckets, runs) as h (bucket, count)
      union all
      select tenant_id, grain, starts_at, h.bucket, -h.count from run_durations, unnest(buckets, runs) as h (bucket, count)
      where tenant_id = $1
    ) counts group by tenant_id, grain, starts_at, bucket having sum(count) <> 0
  ) different group by tenant_id, grain, starts_at`;

const FITS = `cardinality(h.buckets) + cardinality(excluded.buckets) <= ${COUNTS_MAX}`;

/** SQL: adds histograms, in the order of their keys: two statements that add to the same rows cannot deadlock. */
const add = (histograms: string) => `insert into run_durations as h (tenant_id, grain, starts_at, buckets, runs)
  select * from (${histograms}) histograms order by tenant_id, grain, starts_at
  on conflict (tenant_id, grain, starts_at) do update set (buckets, runs) = (
    select h.buckets || excluded.buckets, h.runs || excluded.runs where ${FITS}
    union all
    select coalesce(array_agg(bucket), '{}'), coalesce(array_agg(count), '{}') from (
      select bucket, sum(count)::int as count
      from unnest(h.buckets || excluded.buckets, h.runs || excluded.runs) as appended (bucket, count)
      group by bucket having sum(count) <> 0
    ) summed
    having not (${FITS}))`;

export const runDurations: Rollup = {
  table: 'run_durations',
  sources: ['run_changes'],
  apply: () => add(CONTRIBUTED),
  correction: `${add(DIFFERENCE)} returning 1`,
};
