// The histories of mirror.int.spec, more of them, and with an independent store. Real: Postgres, the engine of syncs, the embedded object
// store, OpenStack Swift. Simulated: workers that die, stall, are stopped or throttled, or lose an answer of the database.
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { startSwift, swiftPrograms, type Swift } from '@kiln/storage/test-support';
import { testNamespace } from '@kiln/testing';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { histories } from '../test/mirror/histories.js';
import { Mirror, type ConnectedStore } from '../test/mirror/mirror.js';
import { newBucket, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const SHRINK_LIMIT_MS = 600_000;
const programs = await swiftPrograms();

describe('a connection mirrors its bucket, whatever changes meanwhile and wherever workers are interrupted', () => {
  let kiln: SyncsHarness;
  let mirror: Mirror;
  beforeAll(async () => {
    kiln = await startSyncs();
    mirror = new Mirror(kiln);
  });
  afterAll(() => kiln.close());

  async function holds(numRuns: number, newStore: () => Promise<ConnectedStore>): Promise<void> {
    const property = fc.asyncProperty(histories({ syncsMax: 6 }), async (history) => {
      const store = await newStore();
      await mirror.replay(history, store);
      store.objects.close();
    });
    await fc.assert(property, { seed: testSeed(), numRuns, interruptAfterTimeLimit: SHRINK_LIMIT_MS });
  }

  it('in the embedded object store', () => holds(120, newBucket), SHRINK_LIMIT_MS);

  const skip = 'reason' in programs ? programs.reason : null;
  (skip === null ? it : it.skip)(
    `in OpenStack Swift${skip === null ? '' : `: ${skip}`}`,
    async () => {
      if ('reason' in programs) return;
      const swift = await startSwift(programs);
      await holds(15, () => newSwiftBucket(swift));
      await swift.close();
    },
    SHRINK_LIMIT_MS,
  );
});

async function newSwiftBucket({ url: endpoint, accessKeyId, secretAccessKey }: Swift): Promise<ConnectedStore> {
  const bucket = testNamespace();
  const place = { endpoint, region: 'us-east-1', bucket, forcePathStyle: true };
  const objects = createS3ObjectStore({ ...place, accessKeyId, secretAccessKey });
  await objects.ensureBucket();
  const credentials = { access_key_id: accessKeyId, secret_access_key: secretAccessKey, endpoint };
  return { objects, connection: { provider: 'selfhost_s3', name: 'Swift', bucket, credentials } };
}
