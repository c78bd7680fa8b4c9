// Real: Postgres. Faked: the files and jobs services.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  filesOperations,
  fileStatuses,
  jobStatuses,
  unavailable,
  type CallContext,
  type Operation,
} from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { silentLogger, startAnalytics, type AnalyticsHarness } from '../test/analytics-harness.js';
import { CompareTotals } from './compare-totals.usecase.js';
import { noDrift } from './drift.domain.js';
import { ReconciliationStore } from './reconciliation.store.js';

const ARRIVAL_MS = 200;

describe('the reconciliation of totals', () => {
  let kiln: AnalyticsHarness;
  let store: ReconciliationStore;
  const [one, other] = [uuidv7(), uuidv7()];
  /** What the other services count. `next` has later answers. */
  let failed: Map<string, number[]>;
  /** The tenants that the files service was asked for. */
  let asked: string[];
  /** Called before the files service answers. */
  let onCount: (tenantId: string) => Promise<void>;
  beforeAll(async () => {
    kiln = await startAnalytics();
    store = new ReconciliationStore(kiln.database, kiln.database.dataSource.manager);
  });
  beforeEach(async () => {
    await kiln.sql('delete from tenant_totals');
    await kiln.sql('update reconciliation set compared_at = null, tenants = 0, last_tenant_id = null');
    await makeDue();
    await kiln.sql('insert into tenant_totals (tenant_id, failed) values ($1, 3), ($2, 5)', [one, other]);
    asked = [];
    onCount = () => Promise.resolve();
    failed = new Map([
      [one, [3]],
      [other, [5]],
    ]);
  });
  afterAll(() => kiln.close());

  const makeDue = () => kiln.sql(`update reconciliation set due_at = '-infinity'`);

  async function call({ subject }: Operation, _input: unknown, { tenantId }: CallContext): Promise<unknown> {
    const jobs = { status_counts: Object.fromEntries(jobStatuses.map((status) => [status, 0])) };
    if (subject !== filesOperations.countFiles.subject) return jobs;
    const answers = failed.get(tenantId) ?? [];
    asked.push(tenantId);
    await onCount(tenantId);
    if (answers.length === 0) throw unavailable('The files service');
    const count = answers.length > 1 ? answers.shift() : answers[0];
    const status_counts = { ...Object.fromEntries(fileStatuses.map((status) => [status, 0])), failed: count };
    return { total_files: count, total_size_bytes: 0, status_counts };
  }
  const compare = (
    arrivalMs = 0,
    tenantsMax?: number,
    others: {
      store?: ReconciliationStore;
      tenantsPerPage?: number;
      leaseSeconds?: number;
      isStopping?: () => boolean;
    } = {},
  ) =>
    new CompareTotals({
      ...(tenantsMax !== undefined && { tenantsMax }),
      store,
      rpc: { call: call as never },
      logger: silentLogger,
      isStopping: () => false,
      intervalSeconds: 600,
      arrivalMs,
      ...others,
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
    const readAt: number[] = [];
    const totals = async (tenantId: string) => {
      const read = await store.totals(tenantId);
      if (tenantId !== one) return read;
      readAt.push(performance.now());
      await kiln.sql('update tenant_totals set failed = 4 where tenant_id = $1', [one]);
      return read;
    };
    const late = Object.create(store, { totals: { value: totals } }) as typeof store;
    await compare(ARRIVAL_MS, undefined, { store: late }).round();
    expect(await store.last()).toMatchObject({ tenants: 2, drift: noDrift() });
    const [first = NaN, second = NaN, ...others] = readAt;
    expect(second - first).toBeGreaterThanOrEqual(ARRIVAL_MS);
    expect(others).toStrictEqual([]);
  });

  it('leaves out a tenant whose counts change meanwhile', async () => {
    failed.set(one, [4, 6]);
    await compare().round();
    expect(await store.last()).toMatchObject({ tenants: 1, drift: noDrift() });
  });

  it('continues after a tenant that fails, and leaves it out', async () => {
    failed.delete([one, other].toSorted()[0] ?? '');
    await compare().round();
    expect(await store.last()).toMatchObject({ tenants: 1, drift: noDrift() });
  });

  it('compares a bounded number of tenants in a pass, and continues there in the next', async () => {
    const tenants = [one, other].toSorted();
    for (const expected of [tenants[0], tenants[1], tenants[0]]) {
      await makeDue();
      await compare(0, 1).round();
      expect(asked).toStrictEqual([expected]);
      expect(await store.last()).toMatchObject({ tenants: 1 });
      asked = [];
      // The end is found when no tenant follows.
      if (expected === tenants[1]) {
        await makeDue();
        await compare(0, 1).round();
        expect(asked).toStrictEqual([]);
      }
    }
  });

  it('ends a pass when a hundred tenants have failed, as they do while another service is away', async () => {
    const tenants = Array.from({ length: 500 }, () => uuidv7());
    await kiln.sql('insert into tenant_totals (tenant_id) select unnest($1::uuid[])', [tenants]);
    failed.clear();
    await compare().round();
    expect(asked.length).toBeGreaterThanOrEqual(100);
    expect(asked.length).toBeLessThan(110);
    expect(await store.last()).toMatchObject({ tenants: 0, drift: noDrift() });
  });

  it('compares every tenant, however many in a row fail for ever', async () => {
    const broken = Array.from({ length: 250 }, () => uuidv7());
    await kiln.sql('insert into tenant_totals (tenant_id) select unnest($1::uuid[])', [broken]);
    for (let passes = 0; passes < 3; passes++) {
      await makeDue();
      await compare().round();
    }
    expect(asked.toSorted()).toStrictEqual([one, other, ...broken].toSorted());
  });

  it('keeps its place and its lease with each page', async () => {
    const tenants = [one, other].toSorted();
    const places: unknown[] = [];
    onCount = async () => {
      const [row] = await kiln.sql<{ last_tenant_id: string | null }>(
        `select last_tenant_id from reconciliation where due_at > now() + interval '800 s'`,
      );
      places.push(row?.last_tenant_id);
      await kiln.sql(`update reconciliation set due_at = now() + interval '700 s'`);
    };
    expect(await compare(0, undefined, { tenantsPerPage: 1, leaseSeconds: 900 }).round()).toBe(true);
    expect(places).toStrictEqual([null, tenants[0]]);
  });

  it('renews its lease while a page takes long', async () => {
    const leases = new Set<number>();
    onCount = () =>
      eventually(async () => {
        const [row] = await kiln.sql<{ due_at: Date }>('select due_at from reconciliation');
        leases.add(row?.due_at.getTime() ?? 0);
        expect(leases.size).toBeGreaterThanOrEqual(3);
      });
    expect(await compare(0, undefined, { leaseSeconds: 0.4 }).round()).toBe(true);
    expect(asked).toHaveLength(2);
  });

  it('writes nothing when another process has begun a pass', async () => {
    onCount = async () => {
      onCount = () => Promise.resolve();
      await makeDue();
      expect(await store.claimPass(900)).toMatchObject({ after: null });
    };
    expect(await compare(0, undefined, { tenantsPerPage: 1, leaseSeconds: 900 }).round()).toBe(false);
    expect(asked).toHaveLength(1);
    expect(await store.last()).toStrictEqual({ tenants: 0, drift: expect.anything(), age_seconds: null });
    expect(await kiln.sql('select last_tenant_id from reconciliation')).toStrictEqual([{ last_tenant_id: null }]);
  });

  it('leaves the rest to another process when its own stops', async () => {
    const tenants = [one, other].toSorted();
    const isStopping = () => asked.length > 0;
    await compare(0, undefined, { tenantsPerPage: 1, isStopping }).round();
    expect(await store.last()).toMatchObject({ tenants: 1 });
    expect(await compare().round()).toBe(true);
    expect(asked).toStrictEqual(tenants);
  });
});
