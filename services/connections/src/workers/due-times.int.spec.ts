// Real: Postgres, the object store, the workers. Faked: nothing. Polls are an hour apart, unless a test is about them.
import { encodeId } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import { newBucket, silentLogger, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';
import { PurgeWorker } from './purge.worker.js';

const HOUR_MS = 3_600_000;
const POLL_MS = 200;
/** What a busy machine may take beyond the due time; a poll would take an hour. */
const LATE_MS = 3_000;

describe('work that becomes due', () => {
  let kiln: SyncsHarness;
  let stop = async () => {};
  const tenantId = uuidv7();
  before(async () => {
    kiln = await startSyncs();
  });
  afterEach(() => stop());
  after(() => kiln.close());

  const connect = async () => kiln.connect(tenantId, (await newBucket()).connection);
  const startWorker = (pollMs: number) => ({ stop } = kiln.newWorker(4, pollMs));
  const ends = (syncId: string, timeoutMs = LATE_MS) =>
    eventually(async () => assert.equal((await kiln.syncs.find(tenantId, syncId))?.status, 'completed'), { timeoutMs });

  it('as a sync that was postponed is done at its time, without a poll in between', async () => {
    const { id } = await kiln.begin(tenantId, await connect());
    await kiln.sql(`update syncs set due_at = now() + interval '2 s' where id = $1`, [id]);
    const dueAt = performance.now() + 2_000;
    startWorker(HOUR_MS);
    await ends(id, 2_000 + LATE_MS);
    assert.ok(performance.now() >= dueAt, 'done before its time');
  });

  it('as a sync whose wake-up was lost is done after the next poll', async () => {
    startWorker(POLL_MS);
    for (let time = 0; time < 2; time++) {
      const { id } = await kiln.begin(tenantId, await connect());
      await ends(id);
    }
  });

  it('as the rest of a deleted connection is done once its worker is woken, without a poll in between', async () => {
    const purge = new PurgeWorker(kiln.purges, silentLogger);
    stop = () => purge.stop();
    purge.start();
    const id = encodeId('connection', await connect());
    await kiln.manage.remove({ id }, contextOf(tenantId));
    purge.wakeUp();
    const left = async () => (await kiln.sql('select 1 from connections where deleted_at is not null')).length;
    await eventually(async () => assert.equal(await left(), 0), { timeoutMs: LATE_MS });
  });
});
