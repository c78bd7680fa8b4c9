// Real: Postgres. Faked: the broker, which delivers in any order, some events twice, and batches at the same time.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testTenantOf, type CloudEvent } from '@kiln/contracts';
import { randomCases, testSeed } from '@kiln/testing/seed';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startAnalytics, type AnalyticsHarness } from '../test/analytics-harness.js';
import { NaiveInsights } from '../test/naive-insights.js';
import { randomOf, Simulation } from '../test/simulated-events.js';

const EVENTS_MIN = randomCases({ gate: 30_000, stress: 100_000 });
const BATCH_SIZE = 500;
const SEED = testSeed();

const byName =
  <Item>(key: keyof Item) =>
  (a: Item, b: Item) =>
    String(a[key]) < String(b[key]) ? -1 : 1;

/** `durations` are ascending. */
function expectQuantiles(
  { p50_ms, p95_ms, p99_ms }: Record<'p50_ms' | 'p95_ms' | 'p99_ms', number>,
  durations: readonly number[],
): void {
  for (const [quantile, estimate] of [
    [0.5, p50_ms],
    [0.95, p95_ms],
    [0.99, p99_ms],
  ] as const) {
    const exact = durations[Math.ceil(quantile * durations.length) - 1] ?? 0;
    expect(Math.abs(estimate - exact)).toBeLessThanOrEqual(0.02 * exact);
  }
}

describe(`${EVENTS_MIN} events, shuffled, repeated and late (seed ${SEED})`, () => {
  let kiln: AnalyticsHarness;
  const now = new Date();
  const live = uuidv7();
  const tenants = [live, testTenantOf(live), uuidv7()];
  const simulation = new Simulation(randomOf(SEED), now);
  const { events } = simulation;

  beforeAll(async () => {
    kiln = await startAnalytics();
    const count = () => Object.values(events).reduce((total, list: unknown[]) => total + list.length, 0);
    while (count() < EVENTS_MIN) {
      // One tenant has most of the files.
      const tenantId = tenants[Math.floor((count() % 7) / 3)] ?? live;
      for (let index = 0; index < 50; index++) simulation.addFile(tenantId);
      simulation.addConnection(tenantId);
    }
    const { facts } = kiln;
    const batches = [
      ...batchesOf(simulation.delivered(events.created), (batch) => facts.onFileCreated(batch)),
      ...batchesOf(simulation.delivered(events.changed), (batch) => facts.onFilesChanged(batch)),
      ...batchesOf(simulation.delivered(events.deleted), (batch) => facts.onFileDeleted(batch)),
      ...batchesOf(simulation.delivered(events.completed), (batch) => facts.onCompleted(batch)),
      ...batchesOf(simulation.delivered(events.failed), (batch) => facts.onFailed(batch)),
      ...batchesOf(simulation.delivered(events.retried), (batch) => facts.onRetried(batch)),
      ...batchesOf(simulation.delivered(events.connected), (batch) => facts.onConnectionCreated(batch)),
      ...batchesOf(simulation.delivered(events.disconnected), (batch) => facts.onConnectionDeleted(batch)),
    ];
    await inAnyOrder(batches, randomOf(SEED + 1), 4);
  });
  afterAll(() => kiln.close());

  describe.each(tenants.map((tenantId, index) => ({ tenantId, index })))('in tenant $index', ({ tenantId }) => {
    const context = contextOf(tenantId);
    let computed: NaiveInsights | undefined;
    const naive = () => (computed ??= new NaiveInsights(events, tenantId, now));

    it('make the overview what the newest states are', async () => {
      expect(await kiln.overview.overview(context)).toStrictEqual(naive().overview());
    });

    it('make the types and spaces what the files are', async () => {
      const { types } = await kiln.overview.fileTypes(context);
      const { spaces } = await kiln.overview.spaces(context);
      expect(types.toSorted(byName('content_type'))).toStrictEqual(
        naive().fileTypes().toSorted(byName('content_type')),
      );
      expect(spaces.toSorted(byName('space'))).toStrictEqual(naive().spaces().toSorted(byName('space')));
      expect(types.map(({ count }) => count)).toStrictEqual(types.map(({ count }) => count).toSorted((a, b) => b - a));
      expect(spaces.length).toBeGreaterThan(1);
    });

    it('land in their own hours', async () => {
      const hours = await kiln.sql(
        `select to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24') as hour, uploads, uploaded_bytes, completed as processed, failed
         from activity where tenant_id = $1 and grain = 'hour' and uploads + completed + failed > 0 order by starts_at`,
        [tenantId],
      );
      expect(hours).toStrictEqual(naive().hours());
    });

    it.each([1, 7, 30, 365])('land in their own days of the last %i', async (days) => {
      const volume = naive().volume(days);
      expect((await kiln.history.volume({ days }, context, now)).data).toStrictEqual(volume);
      expect((await kiln.history.trends({ days }, context, now)).data).toStrictEqual(
        volume.map(({ date, uploads, processed, failed }) => ({ date, uploads, completed: processed, failed })),
      );
      expect((await kiln.history.storageGrowth({ days }, context, now)).data).toStrictEqual(
        naive().storageGrowth(days),
      );
    });

    it.each([1, 7, 30, 365])('have the durations of the last %i days, quantiles within 2 %', async (days) => {
      const { durations, providers } = naive().window(days);
      const shown = await kiln.processing.processing({ days }, context, now);
      expectQuantiles(shown, durations);
      const rounded = (value: number) => Math.round(value * 100) / 100;
      expect(shown.by_provider).toStrictEqual(
        providers
          .filter(({ completed }) => completed > 0)
          .map(({ provider, completed, avg }) => ({ provider, avg_ms: rounded(avg), count: completed }))
          .toSorted(byName('provider')),
      );
      expect((await kiln.processing.providers({ days }, context, now)).providers).toStrictEqual(
        providers
          .map(({ provider, completed, failed, avg }) => ({
            provider,
            total_jobs: completed + failed,
            success_rate: completed / (completed + failed),
            avg_ms: rounded(avg),
          }))
          .toSorted(byName('provider')),
      );
    });

    it.each([1, 7, 365])('have the durations of each of the last %i days, quantiles within 2 %', async (days) => {
      const { data } = await kiln.processing.daily({ days }, context, now);
      const exact = naive().dailyTimes(days);
      expect(data.map(({ date, runs }) => [date, runs])).toStrictEqual(
        exact.map(({ date, durations }) => [date, durations.length]),
      );
      for (const [at, day] of data.entries()) expectQuantiles(day, exact[at]?.durations ?? []);
    });

    it('show the newest failures, and count all of them by reason', async () => {
      expect((await kiln.failures.failures({ limit: 200 }, context)).failures).toStrictEqual(naive().failures(200));
      const { failures } = await kiln.failures.topFailures({ limit: 200 }, context);
      expect(failures.toSorted(byName('reason'))).toStrictEqual(naive().topFailures().toSorted(byName('reason')));
      const two = await kiln.failures.topFailures({ limit: 2 }, context);
      expect(two.failures).toStrictEqual(failures.slice(0, 2));
    });
  });

  it('leave no text of a deleted file behind', async () => {
    const rows = await kiln.sql(
      `select 1 from job_outcomes o join file_facts f using (tenant_id, file_id)
       where f.deleted_at is not null and (o.filename is not null or o.message is not null or o.is_latest)`,
    );
    expect(rows).toStrictEqual([]);
  });
});

function batchesOf<Event extends CloudEvent>(events: Event[], handle: (batch: Event[]) => Promise<void>) {
  const batches: (() => Promise<void>)[] = [];
  for (let from = 0; from < events.length; from += BATCH_SIZE) {
    const batch = events.slice(from, from + BATCH_SIZE);
    batches.push(() => handle(batch));
  }
  return batches;
}

/** Runs `work` in random order, some of it at the same time. */
async function inAnyOrder(work: (() => Promise<void>)[], random: () => number, concurrency: number): Promise<void> {
  const left = work.map((task) => ({ task, place: random() })).toSorted((a, b) => a.place - b.place);
  const run = async () => {
    for (let next = left.pop(); next; next = left.pop()) await next.task();
  };
  await Promise.all(Array.from({ length: concurrency }, run));
}
