// Real: Postgres. Faked: the files and jobs services.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { filesOperations, fileStatuses, jobStatuses, type CallContext, type Operation } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { silentLogger, startAnalytics, type AnalyticsHarness } from '../test/analytics-harness.js';
import { CompareTotals } from './compare-totals.usecase.js';
import { noDrift } from './domain/drift.js';
import { ReconciliationStore } from './reconciliation.store.js';

describe('the reconciliation of totals', () => {
  let kiln: AnalyticsHarness;
  let store: ReconciliationStore;
  const [one, other] = [uuidv7(), uuidv7()];
  /** What the other services count. `next` has later answers. */
  let failed: Map<string, number[]>;
  beforeAll(async () => {
    kiln = await startAnalytics();
    store = new ReconciliationStore(kiln.database);
  });
  beforeEach(async () => {
    await kiln.sql('delete from tenant_totals');
    await kiln.sql(`update reconciliation set next_pass_at = '-infinity', compared_at = null, tenants = 0`);
    await kiln.sql('insert into tenant_totals (tenant_id, failed) values ($1, 3), ($2, 5)', [one, other]);
    failed = new Map([
      [one, [3]],
      [other, [5]],
    ]);
  });
  afterAll(() => kiln.close());

  function call({ subject }: Operation, _input: unknown, { tenantId }: CallContext): Promise<unknown> {
    const jobs = { status_counts: Object.fromEntries(jobStatuses.map((status) => [status, 0])) };
    if (subject !== filesOperations.countFiles.subject) return Promise.resolve(jobs);
    const answers = failed.get(tenantId) ?? [];
    const count = answers.length > 1 ? answers.shift() : answers[0];
    const status_counts = { ...Object.fromEntries(fileStatuses.map((status) => [status, 0])), failed: count };
    return Promise.resolve({ total_files: count, total_size_bytes: 0, status_counts });
  }
  const compare = (arrivalMs = 0) =>
    new CompareTotals({
      store,
      rpc: { call: call as never },
      logger: silentLogger,
      isStopping: () => false,
      intervalSeconds: 600,
      arrivalMs,
    });

  it('reports no drift if all counts are equal, and makes one pass in an interval', async () => {
    expect([await compare().round(), await compare().round()]).toStrictEqual([true, false]);
    expect(await store.last()).toStrictEqual({ tenants: 2, drift: noDrift(), age_seconds: expect.any(Number) });
  });

  it('reports the difference that stays', async () => {
    failed.set(one, [4]);
    await compare().round();
    expect(await store.last()).toMatchObject({ tenants: 2, drift: { ...noDrift(), failed: 1 } });
  });

  it('waits for events that are under way', async () => {
    failed.set(one, [4]);
    const round = compare(2_000).round();
    await kiln.sql('update tenant_totals set failed = 4 where tenant_id = $1', [one]);
    await round;
    expect(await store.last()).toMatchObject({ tenants: 2, drift: noDrift() });
  });

  it('leaves out a tenant whose counts change meanwhile', async () => {
    failed.set(one, [4, 6]);
    await compare().round();
    expect(await store.last()).toMatchObject({ tenants: 1, drift: noDrift() });
  });
});
