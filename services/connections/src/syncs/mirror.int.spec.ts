// Real: Postgres, the engine of syncs, and the embedded object store as the bucket of a customer. Simulated: workers that die, stall, are
// stopped or throttled, or lose an answer of the database, at random pages and statements.
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { histories } from '../test/mirror/histories.js';
import { Mirror } from '../test/mirror/mirror.js';
import { newBucket, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const SHRINK_LIMIT_MS = 120_000;

describe('a connection', () => {
  let kiln: SyncsHarness;
  beforeAll(async () => {
    kiln = await startSyncs();
  });
  afterAll(() => kiln.close());

  it('mirrors its bucket after each sync, whatever changes meanwhile and wherever workers are interrupted', async () => {
    const mirror = new Mirror(kiln);
    const property = fc.asyncProperty(histories({ syncsMax: 3 }), async (history) => {
      const bucket = await newBucket();
      await mirror.replay(history, bucket);
      bucket.objects.close();
    });
    await fc.assert(property, { seed: testSeed(), numRuns: 10, interruptAfterTimeLimit: SHRINK_LIMIT_MS });
  });
});
