// Real: Postgres. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { RecordFacts } from '../facts/record-facts.usecase.js';
import { startAnalytics, type AnalyticsHarness } from '../test/analytics-harness.js';
import { durationOf } from './duration-buckets.domain.js';

const BATCHES = 30;
const BUCKETS = 40;

describe('a histogram of durations', () => {
  let kiln: AnalyticsHarness;
  const tenantId = uuidv7();
  const endedAt = '2026-03-04T05:06:07.000Z';
  const outcome = (bucket: number) => ({
    tenant_id: tenantId,
    file_id: uuidv7(),
    job_id: uuidv7(),
    fence: 1,
    status: 'completed' as const,
    ended_at: endedAt,
    provider: null,
    duration_ms: Math.round(durationOf(100 + bucket)),
    reason: null,
    message: null,
    filename: null,
  });
  beforeAll(async () => {
    kiln = await startAnalytics();
    const facts = new RecordFacts(kiln.database);
    for (let batch = 0; batch < BATCHES; batch++)
      await facts.outcomes(Array.from({ length: BUCKETS }, (_, bucket) => outcome(bucket)));
  });
  afterAll(() => kiln.close());

  it('has every run of every batch, in rows of its hour, day and month that stay short', async () => {
    const rows = await kiln.sql(
      `select grain, starts_at, cardinality(buckets) as counts,
         (select json_object_agg(bucket, runs) from (
            select bucket, sum(runs) as runs from unnest(buckets, runs) as h (bucket, runs) group by bucket) sums) as runs
       from run_durations where tenant_id = $1 order by starts_at`,
      [tenantId],
    );
    const runs = Object.fromEntries(Array.from({ length: BUCKETS }, (_, bucket) => [100 + bucket, BATCHES]));
    const counts = expect.any(Number);
    expect(rows).toStrictEqual([
      { grain: 'month', starts_at: new Date('2026-03-01'), counts, runs },
      { grain: 'day', starts_at: new Date('2026-03-04'), counts, runs },
      { grain: 'hour', starts_at: new Date('2026-03-04T05:00:00Z'), counts, runs },
    ]);
    for (const row of rows as { counts: number }[]) expect(row.counts).toBeLessThanOrEqual(300);
    expect(BATCHES * BUCKETS).toBeGreaterThan(2 * 300);
  });
});
