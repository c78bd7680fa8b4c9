// Real: Postgres, the object store, the removal worker. Faked: the event, by a call of the use case.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { uuidOf } from '@kiln/contracts';
import { FileRemovalStore } from './file-removal.store.js';
import { RefusedRunStore } from '../cancellation/refused-run.store.js';
import { RemovalWorker } from './removal.worker.js';
import { RequestRemoval } from './request-removal.usecase.js';
import { startSearch, type SearchHarness } from '../test/search-harness.js';

/** As in the worker. */
const POLL_MS = 5_000;

describe('the removal of a deleted file', () => {
  let kiln: SearchHarness;
  let worker: RemovalWorker;
  let requestRemoval: RequestRemoval;
  const tenantId = randomUUID();
  beforeAll(async () => {
    kiln = await startSearch();
    const logger = createLogger({ service: 'search', role: 'all', level: 'error' }, { write: () => {} });
    const removals = new FileRemovalStore(kiln.database);
    worker = new RemovalWorker(removals, new RefusedRunStore(kiln.database), logger);
    requestRemoval = new RequestRemoval(removals, worker);
    worker.start();
  });
  afterAll(async () => {
    await worker.stop();
    await kiln.close();
  });

  const request = async (word: string) => {
    const fileId = uuidOf('file', await kiln.index({ tenantId, chunks: [word] }));
    const hints: (() => void)[] = [];
    const afterCommit = (hint: () => void) => void hints.push(hint);
    await kiln.database.transaction((transaction) =>
      requestRemoval.execute({ transaction, afterCommit }, tenantId, fileId),
    );
    return hints;
  };
  const isGone = (word: string, timeoutMs: number) =>
    eventually(async () => expect((await kiln.search(tenantId, word)).total).toBe(0), { timeoutMs });

  it('begins at once after the commit, without waiting for a poll', async () => {
    const startedAt = performance.now();
    for (const word of ['zebra', 'giraffe', 'okapi', 'antelope']) {
      for (const hint of await request(word)) hint();
      await isGone(word, POLL_MS);
    }
    // Four removals must take less than two polls.
    expect(performance.now() - startedAt).toBeLessThan(2 * POLL_MS);
  });

  it('begins at the next poll when the wake-up was lost', async () => {
    await request('quagga');
    await isGone('quagga', POLL_MS + 3_000);
  });
});
