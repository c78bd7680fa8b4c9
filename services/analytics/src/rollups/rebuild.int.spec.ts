// Real: Postgres. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startAnalytics, type AnalyticsHarness } from '../test/analytics-harness.js';
import { NaiveInsights } from '../test/naive-insights.js';
import { randomOf, Simulation, type SimulatedEvents } from '../test/simulated-events.js';
import { RebuildRollups } from './rebuild-rollups.usecase.js';
import { rollups } from './rollups.statements.js';

describe('a rebuild of rollups', () => {
  let kiln: AnalyticsHarness;
  let rebuild: RebuildRollups;
  const now = new Date();
  const tenants = [uuidv7(), uuidv7()];
  const [tenantId = '', other = ''] = tenants;
  const simulation = new Simulation(randomOf(7), now);
  beforeAll(async () => {
    kiln = await startAnalytics();
    rebuild = new RebuildRollups(kiln.database);
    for (const tenant of tenants) await record(happen(tenant, 400));
  });
  afterAll(() => kiln.close());

  /** The events that these files add to those before. */
  function happen(tenant: string, files: number): SimulatedEvents {
    const before = Object.entries(simulation.events).map(([name, list]) => [name, list.length] as const);
    for (let index = 0; index < files; index++) simulation.addFile(tenant);
    simulation.addConnection(tenant);
    const added = before.map(([name, length]) => [
      name,
      simulation.events[name as keyof SimulatedEvents].slice(length),
    ]);
    return Object.fromEntries(added);
  }
  async function record(events: SimulatedEvents): Promise<void> {
    await kiln.facts.onFileCreated(events.created);
    await kiln.facts.onFilesChanged(events.changed);
    await kiln.facts.onCompleted(events.completed);
    await kiln.facts.onFailed(events.failed);
    await kiln.facts.onRetried(events.retried);
    await kiln.facts.onConnectionCreated(events.connected);
    await kiln.facts.onConnectionDeleted(events.disconnected);
    await kiln.facts.onFileDeleted(events.deleted);
  }
  const stored = (table: string, tenant: string) =>
    kiln.sql(`select * from ${table} t where tenant_id = $1 order by t::text`, [tenant]);
  const allStored = async (tenant: string) =>
    Object.fromEntries(
      await Promise.all(rollups.map(async ({ table }) => [table, await stored(table, tenant)] as const)),
    );
  /** Rows that have become zero are left out. */
  const shown = async (tenant: string) => {
    const context = contextOf(tenant);
    return [
      await kiln.overview.overview(context),
      await kiln.overview.fileTypes(context),
      await kiln.overview.spaces(context),
      await kiln.history.volume({ days: 90 }, context, now),
      await kiln.history.storageGrowth({ days: 90 }, context, now),
      await kiln.processing.processing({ days: 90 }, context, now),
      await kiln.processing.providers({ days: 90 }, context, now),
      await kiln.failures.topFailures({ limit: 100 }, context),
    ];
  };

  it('finds nothing to correct after events were recorded', async () => {
    expect(await rebuild.execute(tenantId)).toStrictEqual({});
  });

  it('restores rollups that were lost or are wrong, and leaves those of other tenants alone', async () => {
    const [before, stranger] = [await shown(tenantId), await allStored(other)];
    for (const { table } of rollups) {
      await kiln.sql(`delete from ${table} where tenant_id = $1 and random() < 0.5`, [tenantId]);
    }
    await kiln.sql('update space_totals set files = files + 3 where tenant_id = $1', [tenantId]);
    await kiln.sql('update type_totals set size_bytes = -1 where tenant_id = $1', [tenantId]);
    await kiln.sql(`delete from activity where tenant_id = $1`, [tenantId]);
    expect(Object.keys(await rebuild.execute(tenantId))).toContain('activity');
    expect(await shown(tenantId)).toStrictEqual(before);
    expect(await allStored(other)).toStrictEqual(stranger);
    expect(await rebuild.execute(tenantId)).toStrictEqual({});
  });

  it('loses and repeats nothing that is recorded meanwhile, also if two rebuilds run', async () => {
    await kiln.sql('update tenant_totals set completed = completed + 5 where tenant_id = $1', [tenantId]);
    const progress = { recording: true };
    const rebuilding = async () => {
      while (progress.recording) await rebuild.execute(tenantId);
    };
    const both = Promise.all([rebuilding(), rebuilding()]);
    for (let round = 0; round < 15; round++) await record(happen(tenantId, 20));
    progress.recording = false;
    await both;
    expect(await rebuild.execute(tenantId)).toStrictEqual({});
    const naive = new NaiveInsights(simulation.events, tenantId, now);
    expect(await kiln.overview.overview(contextOf(tenantId))).toStrictEqual(naive.overview());
    expect((await kiln.history.volume({ days: 90 }, contextOf(tenantId), now)).data).toStrictEqual(naive.volume(90));
  });

  it('of all tenants visits each once, in the order of their ids', async () => {
    const visited: string[] = [];
    for await (const tenant of rebuild.tenants()) visited.push(tenant);
    expect(visited).toStrictEqual(tenants.toSorted());
  });
});
