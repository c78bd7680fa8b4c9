// Real: Postgres. Faked: the clock of the maintenance worker.
import { FakeClock } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { silentLogger } from '../test/test-worker.js';
import { contextOf, fileCompleted, startWebhooks, type WebhooksHarness } from '../test/webhooks-harness.js';
import { MaintenanceWorker } from '../workers/maintenance.worker.js';

describe('events, deliveries and their logs', () => {
  let kiln: WebhooksHarness;
  const clock = new FakeClock(new Date());
  const tenantId = uuidv7();
  before(async () => {
    kiln = await startWebhooks();
  });
  after(() => kiln.close());

  const keep = () =>
    new MaintenanceWorker({
      partitions: kiln.partitions,
      endpoints: kiln.endpoints,
      logger: silentLogger,
      now: () => clock.now(),
    }).keepPartitions();
  const events = async () => (await kiln.read.listEvents({ limit: 50 }, contextOf(tenantId))).events.length;
  const queued = async () => (await kiln.sql('select 1 from queued_deliveries')).length;
  const partitions = async () =>
    (
      await kiln.sql<{ name: string }>(`select relname as name from pg_class where relispartition and relkind = 'r'`)
    ).map(({ name }) => name);

  it('are kept for 30 days and dropped by the day, those that are still queued included', async () => {
    await kiln.create(tenantId, 'http://127.0.0.1:9/');
    await keep();
    await kiln.happen(fileCompleted(tenantId));
    assert.equal(await events(), 1);
    clock.advance({ days: 30 });
    await keep();
    assert.deepEqual([await events(), await queued()], [1, 1], 'after 30 days');
    clock.advance({ days: 1 });
    await keep();
    assert.deepEqual([await events(), await queued()], [0, 0], 'after 31 days');
  });

  it('have a partition for two weeks ahead, made once by however many processes at once', async () => {
    clock.advance({ days: 3 });
    await Promise.all([keep(), keep(), keep()]);
    const names = await partitions();
    for (let day = 0; day <= 14; day++) {
      const suffix = new Date(clock.now().getTime() + day * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
      for (const table of ['webhook_events', 'settled_deliveries', 'delivery_attempts']) {
        assert.ok(names.includes(`${table}_${suffix}`), `${table}_${suffix}`);
      }
    }
  });

  it('of the last and the first millisecond of a day lie in the right partitions', async () => {
    const [row] = await kiln.sql<{ last: string; first: string }>(
      `select uuid_floor('2026-11-21T23:59:59.999Z') as last, uuid_floor('2026-11-22T00:00:00Z') as first`,
    );
    const at = (moment: string) => uuidv7({ msecs: Date.parse(moment), random: new Uint8Array(16) }).slice(0, 13);
    assert.equal(row?.last.slice(0, 13), at('2026-11-21T23:59:59.999Z'));
    assert.equal(row?.first.slice(0, 13), at('2026-11-22T00:00:00.000Z'));
  });
});
