// Real: Postgres, NATS, the object store, the extraction sandbox, a worker with its claims. Faked: the files and search services, as responders
// on the bus. The spec asserts which runs ended while a tenant holds the memory; it measures no time.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sourceKey } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { startRuns, type RunHarness } from '../test/run-harness.js';
import { TextMemory } from '../runs/text-memory.service.js';
import { EndRun } from './end-run.usecase.js';
import { JobWorker } from './job.worker.js';

const MEMORY_BYTES = 4_194_304;
const SMALL = 'kiln,degrees\nA,1000\n';
/** Its markdown is larger than what needs no memory of its own. */
const LARGE = SMALL.repeat(60_000);
/** More than the worker runs at a time. */
const LARGE_FILES = 4;
const CONCURRENCY = 2;

describe('a worker whose memory for large texts is taken by a tenant', () => {
  let kiln: JobsHarness;
  let runs: RunHarness;
  let worker: JobWorker;
  const memory = new TextMemory(MEMORY_BYTES, 50);
  beforeAll(async () => {
    kiln = await startJobs();
    runs = await startRuns(kiln, { textMemory: memory });
    runs.arrived.contentType = 'text/csv';
  });
  afterEach(() => worker.stop());
  afterAll(async () => {
    await runs.close();
    await kiln.close();
  });

  const add = async (tenantId: string, text: string) => {
    const jobId = await kiln.add(tenantId);
    const { file_id: fileId } = await kiln.stored(tenantId, jobId);
    await runs.objects.put(sourceKey(tenantId, fileId), text, { contentType: 'text/csv' });
    return () => kiln.stored(tenantId, jobId);
  };
  function startWorker(): void {
    const { claims, completions, leases, database } = kiln;
    worker = new JobWorker({
      claims,
      completions,
      leases,
      endRun: new EndRun(database, leases, 20, silentLogger),
      runJob: { execute: ({ job, signal, slot }) => runs.outcome(job, signal, () => slot.leave()) },
      logger: silentLogger,
      concurrency: CONCURRENCY,
      heartbeatMs: 5_000,
      onReleased: () => undefined,
    });
    worker.start();
  }

  it('processes the small files of others meanwhile, and each large file once it can, without reading it again', async () => {
    const [large, other] = [uuidv7(), uuidv7()];
    const release = await memory.take(large, MEMORY_BYTES, new AbortController().signal);
    const largeJobs = await Promise.all(Array.from({ length: LARGE_FILES }, () => add(large, LARGE)));
    startWorker();
    await eventually(() => expect(runs.extractions()).toBeGreaterThanOrEqual(CONCURRENCY));
    const small = await add(other, SMALL);
    worker.wakeUp();
    await eventually(async () => expect((await small()).status).toBe('completed'));
    for (const job of largeJobs) expect((await job()).status).not.toBe('completed');
    await eventually(() => expect(runs.extractions()).toBe(LARGE_FILES + 1));
    release();
    await eventually(
      async () => {
        for (const job of largeJobs) expect(await job()).toMatchObject({ status: 'completed', failures: 0 });
      },
      { timeoutMs: 120_000 },
    );
    expect(runs.extractions()).toBe(LARGE_FILES + 1);
  });
});
