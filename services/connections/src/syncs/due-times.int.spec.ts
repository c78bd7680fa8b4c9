// Real: Postgres, the object store, the workers. Faked: nothing. Polls are an hour apart, unless a test is about them.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { PurgeWorker } from '../purge/purge.worker.js';
import { contextOf } from '../test/connections-harness.js';
import { newBucket, silentLogger, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const HOUR_MS = 3_600_000;
const POLL_MS = 200;

describe('due work', () => {
  let kiln: SyncsHarness;
  let stop = async () => {};
  const tenantId = uuidv7();
  beforeAll(async () => {
    kiln = await startSyncs();
  });
  afterEach(() => stop());
  afterAll(() => kiln.close());

  const connect = async () => kiln.connect(tenantId, (await newBucket()).connection);
  const startWorker = (pollMs: number) => ({ stop } = kiln.newWorker(4, pollMs));
  const ends = (syncId: string) =>
    eventually(async () => expect((await kiln.syncs.find(tenantId, syncId))?.status).toBe('completed'));

  it('a postponed sync starts when it is due, without a safety poll', async () => {
    const { id } = await kiln.begin(tenantId, await connect());
    const [row] = await kiln.sql<{ due: string }>(
      `update syncs set due_at = now() + interval '2 s' where id = $1 returning due_at::text as due`,
      [id],
    );
    startWorker(HOUR_MS);
    await ends(id);
    // Not before it is due, by the clock of the database, which decides.
    expect(await kiln.sql('select clock_timestamp() >= $1::timestamptz as due', [row?.due])).toStrictEqual([
      { due: true },
    ]);
  });

  it('a sync whose wake-up was lost starts after the next safety poll', async () => {
    startWorker(POLL_MS);
    for (let time = 0; time < 2; time++) {
      const { id } = await kiln.begin(tenantId, await connect());
      await ends(id);
    }
  });

  it('a deleted connection is purged after the wake-up, without a safety poll', async () => {
    const purge = new PurgeWorker(kiln.purges, { listen: () => undefined } as never, silentLogger);
    stop = () => purge.stop();
    purge.start();
    const id = encodeId('connection', await connect());
    await kiln.manage.remove({ id }, contextOf(tenantId));
    purge.wakeUp();
    const left = async () => (await kiln.sql('select 1 from connections where deleted_at is not null')).length;
    await eventually(async () => expect(await left()).toBe(0));
  });
});
