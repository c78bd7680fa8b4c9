// Real: Postgres. Faked: the clock of the maintenance worker.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, FakeClock } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { silentLogger } from '../test/test-worker.js';
import { contextOf, fileCompleted, startWebhooks, type WebhooksHarness } from '../test/webhooks-harness.js';
import { MaintenanceWorker } from './maintenance.worker.js';

describe('events, deliveries and their logs', () => {
  let kiln: WebhooksHarness;
  const clock = new FakeClock(new Date());
  const tenantId = uuidv7();
  beforeAll(async () => {
    kiln = await startWebhooks();
  });
  afterAll(() => kiln.close());

  /** Again if a vacuum holds a partition that is to be dropped. */
  const keep = () => {
    const worker = new MaintenanceWorker(kiln.partitions, kiln.endpoints, silentLogger, () => clock.now());
    return eventually(() => worker.keepPartitions());
  };
  const events = async () => (await kiln.listing.list({ limit: 50 }, contextOf(tenantId))).events.length;
  const queued = async () => (await kiln.sql('select 1 from queued_deliveries')).length;
  const partitions = async () =>
    (
      await kiln.sql<{ name: string }>(`select relname as name from pg_class where relispartition and relkind = 'r'`)
    ).map(({ name }) => name);

  it('are kept for 30 days and dropped by the day, those that are still queued included', async () => {
    await kiln.create(tenantId, 'http://127.0.0.1:9/');
    await keep();
    await kiln.happen(fileCompleted(tenantId));
    expect(await events()).toBe(1);
    clock.advance({ days: 30 });
    await keep();
    // After 30 days.
    expect([await events(), await queued()]).toStrictEqual([1, 1]);
    clock.advance({ days: 1 });
    await keep();
    // After 31 days.
    expect([await events(), await queued()]).toStrictEqual([0, 0]);
  });

  it('have a partition for two weeks ahead, made once by however many processes at once', async () => {
    clock.advance({ days: 3 });
    await Promise.all([keep(), keep(), keep()]);
    const names = await partitions();
    for (let day = 0; day <= 14; day++) {
      const suffix = new Date(clock.now().getTime() + day * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
      for (const table of ['webhook_events', 'finished_deliveries', 'delivery_attempts']) {
        expect(names).toContain(`${table}_${suffix}`);
      }
    }
  });

  it('of the last and the first millisecond of a day lie in the right partitions', async () => {
    const [row] = await kiln.sql<{ last: string; first: string }>(
      `select uuid_floor('2026-11-21T23:59:59.999Z') as last, uuid_floor('2026-11-22T00:00:00Z') as first`,
    );
    const at = (moment: string) => uuidv7({ msecs: Date.parse(moment), random: new Uint8Array(16) }).slice(0, 13);
    expect(row?.last.slice(0, 13)).toBe(at('2026-11-21T23:59:59.999Z'));
    expect(row?.first.slice(0, 13)).toBe(at('2026-11-22T00:00:00.000Z'));
  });
});
