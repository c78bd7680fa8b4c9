// Real: Postgres, NATS, the object store, the sandbox. Faked: the files and search services (see test/run-harness.ts).
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { filesOperations, sourceKey } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { leaseOf, startJobs, type JobsHarness } from '../../test/jobs-harness.js';
import { startRuns, type RunHarness } from '../../test/run-harness.js';
import { NoTextRoom } from '../domain/no-text-room.js';
import { TextMemory } from '../text-memory.service.js';

const MEMORY_BYTES = 4_194_304;
/** Its markdown is larger than what needs no memory of its own. */
const TABLE = 'kiln,degrees\nA,1000\n'.repeat(60_000);

describe('a stored extraction', () => {
  let kiln: JobsHarness;
  let runs: RunHarness;
  const memory = new TextMemory(MEMORY_BYTES, 50);
  beforeAll(async () => {
    kiln = await startJobs();
    runs = await startRuns(kiln, { textMemory: memory });
    runs.arrived.contentType = 'text/csv';
  });
  afterAll(async () => {
    await runs.close();
    await kiln.close();
  });

  it('is read once the worker has memory for it, and not before', async () => {
    await kiln.add(uuidv7(), { processing: { variants: ['markdown', 'metadata'] } });
    const { job } = await kiln.claimed();
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), TABLE, { contentType: 'text/csv' });
    runs.away.subjects = [filesOperations.finishRuns.subject];
    await expect(runs.run(job)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    runs.away.subjects = [];
    const again = async () => {
      await kiln.leases.release(leaseOf(job), { error: null, counted: false, delaySeconds: 0 });
      Object.assign(job, (await kiln.claimed()).job);
      return runs.run(job);
    };
    const release = await memory.take(uuidv7(), MEMORY_BYTES, new AbortController().signal);
    const get = jest.spyOn(runs.objects, 'get');
    await expect(again()).rejects.toBeInstanceOf(NoTextRoom);
    expect(get).not.toHaveBeenCalled();
    release();
    expect(await again()).toStrictEqual(['markdown', 'metadata']);
    expect([get.mock.calls.length, runs.extractions()]).toStrictEqual([2, 1]);
  });
});
