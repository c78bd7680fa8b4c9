// Real: Postgres, the object store, the removal worker. Faked: the event, by a call of the use case.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { uuidOf } from '@kiln/contracts';
import { RunFenceStore } from '../cancellation/run-fence.store.js';
import { RemovalWorker } from './removal.worker.js';
import { RequestRemoval } from './request-removal.usecase.js';
import { startSearch, type SearchHarness } from '../test/search-harness.js';

const HOUR_MS = 3_600_000;
const POLL_MS = 200;

describe('the removal of a deleted file', () => {
  let kiln: SearchHarness;
  let worker: RemovalWorker;
  const tenantId = randomUUID();
  beforeAll(async () => {
    kiln = await startSearch();
  });
  afterEach(() => worker.stop());
  afterAll(() => kiln.close());

  function startWorker(pollMs: number): void {
    const logger = createLogger({ service: 'search', role: 'all', level: 'error' }, { write: () => {} });
    const refusals = new RunFenceStore(kiln.database);
    worker = new RemovalWorker(kiln.removals, refusals, kiln.mergeRequests, logger, pollMs);
    worker.start();
  }

  const request = async (word: string) => {
    const fileId = uuidOf('file', await kiln.index({ tenantId, chunks: [word] }));
    const hints: (() => void)[] = [];
    const afterCommit = (hint: () => void) => void hints.push(hint);
    await kiln.database.transaction((transaction) =>
      new RequestRemoval(kiln.removals, worker).execute({ transaction, afterCommit }, tenantId, fileId),
    );
    return hints;
  };
  const isGone = (word: string) => eventually(async () => expect((await kiln.search(tenantId, word)).total).toBe(0));

  it('begins at once after the commit, without waiting for a poll', async () => {
    startWorker(HOUR_MS);
    for (const word of ['zebra', 'giraffe', 'okapi', 'antelope']) {
      for (const hint of await request(word)) hint();
      await isGone(word);
    }
  });

  it('begins at the next poll when the wake-up was lost', async () => {
    startWorker(POLL_MS);
    await request('quagga');
    await isGone('quagga');
  });
});
