// Real: a worker process with little memory, its sandboxes, Postgres, NATS, the object store. Faked: the files and search
// services, as responders on the bus.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { CrashHarness } from '../test/crash/crash-harness.js';

const MIB = 1_048_576;
/** For two of these texts, and for all else in a worker. In a container of 1 GiB, V8 allows itself 512 MiB. */
const HEAP_MIB = 200;
const LINE = '2026-11-21T09:30:08.123Z INFO kiln 7 reached 1021 degrees after 3 h\n';
const log = Buffer.from(LINE.repeat(Math.floor((60 * MIB) / LINE.length)));

let crash: CrashHarness;
beforeAll(async () => {
  crash = await CrashHarness.start({ content_type: 'text/plain', size_bytes: log.length });
  await crash.startWorker({
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
    KILN_EXTRACTION_PROCESSES: '4',
    KILN_WORKER_CONCURRENCY: '6',
  });
});
afterAll(() => crash.close());

it('a worker with memory for two logs of 60 MiB reads four at a time', async () => {
  const jobs = await Promise.all(Array.from({ length: 4 }, () => crash.add(log)));
  await eventually(
    async () => {
      const stored = await Promise.all(jobs.map((job) => crash.stored(job)));
      expect(stored.map(({ status, failures }) => [status, failures])).toStrictEqual(jobs.map(() => ['completed', 0]));
    },
    { timeoutMs: 280_000 },
  );
}, 300_000);
