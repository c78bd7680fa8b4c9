// Real: Postgres, the object store, the loop that removes. Faked: the event, by calling what it calls.
import { createLogger } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { uuidOf } from '@kiln/contracts';
import { FileRemovalStore } from '../store/file-removal.store.js';
import { RefusedRunStore } from '../store/refused-run.store.js';
import { ForgetFiles } from '../usecases/forget-files.usecase.js';
import { startSearch, type SearchHarness } from './search-harness.js';

/** Of the loop. */
const POLL_MS = 5_000;

describe('the removal of a deleted file', () => {
  let kiln: SearchHarness;
  let forgetFiles: ForgetFiles;
  const tenantId = randomUUID();
  before(async () => {
    kiln = await startSearch();
    const logger = createLogger({ service: 'search', role: 'all', level: 'error' }, { write: () => {} });
    forgetFiles = new ForgetFiles(new FileRemovalStore(kiln.database), new RefusedRunStore(kiln.database), logger);
    forgetFiles.onApplicationBootstrap();
  });
  after(async () => {
    await forgetFiles.onApplicationShutdown();
    await kiln.close();
  });

  const request = async (word: string) => {
    const fileId = uuidOf('file', await kiln.index({ tenantId, chunks: [word] }));
    const hints: (() => void)[] = [];
    const afterCommit = (hint: () => void) => void hints.push(hint);
    await kiln.database.transaction((transaction) =>
      forgetFiles.request({ transaction, afterCommit }, tenantId, fileId),
    );
    return hints;
  };
  const isGone = (word: string, timeoutMs: number) =>
    eventually(async () => assert.equal((await kiln.search(tenantId, word)).total, 0), { timeoutMs });

  it('follows its commit at once, without a poll in between', async () => {
    const startedAt = performance.now();
    for (const word of ['zebra', 'giraffe', 'okapi', 'antelope']) {
      for (const hint of await request(word)) hint();
      await isGone(word, POLL_MS);
    }
    assert.ok(performance.now() - startedAt < 2 * POLL_MS, 'four removals take less than two polls');
  });

  it('follows the next poll when its wake-up was lost', async () => {
    await request('quagga');
    await isGone('quagga', POLL_MS + 3_000);
  });
});
