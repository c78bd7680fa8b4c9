// Real: Postgres. Faked: nothing; no bucket is opened.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import { silentLogger, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';
import { ScheduledSyncsWorker } from './scheduled-syncs.worker.js';
import { SyncScheduleStore } from './sync-schedule.store.js';

const place = { provider: 's3', name: 'Contracts', bucket: 'acme-documents' } as const;
const DAY = 1_440;

describe('scheduled syncs', () => {
  let kiln: SyncsHarness;
  let schedules: SyncScheduleStore;
  let tenantId: string;
  beforeAll(async () => {
    kiln = await startSyncs();
    schedules = new SyncScheduleStore(kiln.database);
  });
  beforeEach(async () => {
    tenantId = uuidv7();
    await kiln.sql('update connections set next_sync_at = null');
  });
  afterAll(() => kiln.close());

  const connect = (sync_interval_minutes: number | null = 60) =>
    kiln.connect(tenantId, { ...place, sync_interval_minutes });
  const change = (connectionId: string, fields: { paused?: boolean; sync_interval_minutes?: number | null }) =>
    kiln.check.update(
      { id: encodeId('connection', connectionId), org_id: kiln.organizationId, ...fields },
      contextOf(tenantId),
    );
  const syncsOf = (connectionId: string) => kiln.syncs.list(tenantId, connectionId, undefined, 100);
  const isDue = (connectionId: string) =>
    kiln.sql(`update connections set next_sync_at = now() - interval '3 hours' where id = $1`, [connectionId]);
  const end = (connectionId: string, status: 'completed' | 'failed') =>
    kiln.sql(`update syncs set status = $2 where connection_id = $1 and status = 'pending'`, [connectionId, status]);
  /** Minutes from now by the clock of the database. Null without a next sync. */
  const nextInMinutes = async (connectionId: string) => {
    const [row] = await kiln.sql<{ minutes: number | null }>(
      `select (extract(epoch from next_sync_at - now()) / 60)::float8 as minutes from connections where id = $1`,
      [connectionId],
    );
    return row?.minutes ?? null;
  };
  const expectNext = async (connectionId: string, minutes: number) => {
    const next = await nextInMinutes(connectionId);
    // The statement took a part of the first minute.
    expect(next).toBeGreaterThan(minutes - 1);
    expect(next).toBeLessThanOrEqual(minutes * 1.1);
  };

  it('start at once when the interval is set, then once for each interval, however many were missed', async () => {
    const connectionId = await connect();
    expect(await schedules.startDue(10)).toStrictEqual({ due: 1, started: 1 });
    await end(connectionId, 'completed');
    await expectNext(connectionId, 60);
    expect(await schedules.startDue(10)).toStrictEqual({ due: 0, started: 0 });
    await isDue(connectionId);
    expect(await schedules.startDue(10)).toStrictEqual({ due: 1, started: 1 });
    expect(await schedules.startDue(10)).toStrictEqual({ due: 0, started: 0 });
    expect(await syncsOf(connectionId)).toHaveLength(2);
  });

  it('keep their time when the same interval is set again, start at once with another one, and end with null', async () => {
    const connectionId = await connect();
    await schedules.startDue(10);
    const { next_sync_at: next } = await change(connectionId, { sync_interval_minutes: 60 });
    expect(next).not.toBeNull();
    await expectNext(connectionId, 60);
    await change(connectionId, { sync_interval_minutes: 5 });
    expect(await nextInMinutes(connectionId)).toBeLessThanOrEqual(0);
    const off = await change(connectionId, { sync_interval_minutes: null });
    expect([off.sync_interval_minutes, off.next_sync_at]).toStrictEqual([null, null]);
    expect(await schedules.startDue(10)).toStrictEqual({ due: 0, started: 0 });
  });

  it('are started once by processes that look at the same time', async () => {
    const connectionIds = await Promise.all(Array.from({ length: 8 }, () => connect()));
    const rounds = await Promise.all(Array.from({ length: 6 }, () => schedules.startDue(3)));
    await schedules.startDue(10);
    const started = await Promise.all(connectionIds.map(syncsOf));
    expect(started.map((syncs) => syncs.length)).toStrictEqual(connectionIds.map(() => 1));
    expect(rounds.reduce((sum, { started: count }) => sum + count, 0)).toBeLessThanOrEqual(connectionIds.length);
  });

  it('are skipped while a sync of the connection runs', async () => {
    const connectionId = await connect();
    await kiln.begin(tenantId, connectionId);
    expect(await schedules.startDue(10)).toStrictEqual({ due: 1, started: 0 });
    expect(await syncsOf(connectionId)).toHaveLength(1);
    await expectNext(connectionId, 60);
  });

  it('come less often while they fail, at least once a day, and as before after a success', async () => {
    const connectionId = await connect(300);
    for (const minutes of [300, 600, 1_200, DAY, DAY]) {
      await isDue(connectionId);
      await schedules.startDue(10);
      await expectNext(connectionId, minutes);
      await end(connectionId, 'failed');
    }
    await kiln.begin(tenantId, connectionId);
    await end(connectionId, 'completed');
    await isDue(connectionId);
    await schedules.startDue(10);
    await expectNext(connectionId, 300);
  });

  it('keep an interval longer than a day while they fail', async () => {
    const connectionId = await connect(7 * DAY);
    await kiln.begin(tenantId, connectionId);
    await end(connectionId, 'failed');
    await schedules.startDue(10);
    await expectNext(connectionId, 7 * DAY);
  });

  it('do not start while the connection is paused; a sync on request does', async () => {
    const connectionId = await connect();
    expect((await change(connectionId, { paused: true })).next_sync_at).toBeNull();
    expect(await schedules.startDue(10)).toStrictEqual({ due: 0, started: 0 });
    expect((await kiln.begin(tenantId, connectionId)).status).toBe('pending');
    await end(connectionId, 'completed');
    const resumed = await change(connectionId, { paused: false });
    expect([resumed.paused, typeof resumed.next_sync_at]).toStrictEqual([false, 'string']);
    expect(await schedules.startDue(10)).toStrictEqual({ due: 1, started: 1 });
  });

  it('do not start for a deleted connection', async () => {
    const connectionId = await connect();
    await kiln.manage.remove({ id: encodeId('connection', connectionId) }, contextOf(tenantId));
    expect(await schedules.startDue(10)).toStrictEqual({ due: 0, started: 0 });
  });

  it('are started by the worker when they are due, without a safety poll', async () => {
    const worker = new ScheduledSyncsWorker(
      schedules,
      { listen: () => undefined, send: () => undefined } as never,
      silentLogger,
    );
    worker.start();
    const connectionId = await connect();
    await kiln.sql(`update connections set next_sync_at = now() + interval '1 s' where id = $1`, [connectionId]);
    worker.wakeUp();
    await eventually(async () => expect(await syncsOf(connectionId)).toHaveLength(1));
    await worker.stop();
  });
});
