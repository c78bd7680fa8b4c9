// Real: Postgres, the object store. Faked: the event, by calling what it calls.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { uuidOf } from '@kiln/contracts';
import { createLogger } from '@kiln/platform';
import { FileRemovalStore } from '../store/file-removal.store.js';
import { RefusedRunStore } from '../store/refused-run.store.js';
import { ForgetFiles } from '../usecases/forget-files.usecase.js';
import { startSearch, type SearchHarness } from './search-harness.js';

let jobs = 0;
const nextJob = () => ++jobs;

describe('a deleted file', () => {
  let kiln: SearchHarness;
  let forgetFiles: ForgetFiles;
  before(async () => {
    kiln = await startSearch();
    const logger = createLogger({ service: 'search', role: 'all', level: 'error' }, { write: () => {} });
    forgetFiles = new ForgetFiles(new FileRemovalStore(kiln.database), new RefusedRunStore(kiln.database), logger);
  });
  after(() => kiln.close());

  const request = (tenantId: string, ...fileIds: string[]) =>
    kiln.database.transaction(async (transaction) => {
      for (const id of fileIds) await forgetFiles.request({ transaction, afterCommit: () => undefined }, tenantId, id);
    });
  const drain = async () => {
    while (await forgetFiles.round());
  };

  it('is found no more, whether it is merged or not', async () => {
    const tenantId = randomUUID();
    for (const merged of [false, true]) {
      const gone = await kiln.index({ tenantId, title: 'Zebra', chunks: ['zebra stripes', 'common words'] });
      const left = await kiln.index({ tenantId, chunks: ['common words'], space: `merged ${merged}` });
      if (merged) await kiln.merge(tenantId);
      await request(tenantId, uuidOf('file', gone));
      await drain();
      assert.equal((await kiln.search(tenantId, 'zebra')).total, 0);
      const { results } = await kiln.search(tenantId, 'common', { space: `merged ${merged}` });
      assert.deepEqual(
        results.map((result) => result.file_id),
        [left],
      );
    }
  });

  it('stays away when an index command comes late, of whatever run', async () => {
    const tenantId = randomUUID();
    const [indexed, never] = [randomUUID(), randomUUID()];
    await kiln.index({ tenantId, fileId: indexed, jobNumber: nextJob(), chunks: ['ghost'] });
    await request(tenantId, indexed, never);
    await drain();
    for (const fileId of [indexed, never]) {
      const late = kiln.index({ tenantId, fileId, jobNumber: nextJob(), fence: 9, chunks: ['ghost'] });
      await assert.rejects(late, { code: 'SUPERSEDED' });
    }
    assert.equal((await kiln.search(tenantId, 'ghost')).total, 0);
  });

  it('is forgotten once however often that is asked, also for one that was never indexed', async () => {
    const tenantId = randomUUID();
    const fileId = randomUUID();
    await kiln.index({ tenantId, fileId, chunks: ['once'] });
    for (const id of [fileId, fileId, randomUUID()]) await request(tenantId, id);
    await drain();
    await request(tenantId, fileId);
    await drain();
    assert.equal((await kiln.search(tenantId, 'once')).total, 0);
  });

  it('stays away while it is written, removed and merged by several processes at once', async () => {
    const tenantId = randomUUID();
    const files = Array.from({ length: 60 }, () => randomUUID());
    const text = (n: number) =>
      Array.from({ length: 30 }, (_, k) => `word${(n * 7 + k * 3) % 90} everywhere`).join(' ');
    await Promise.all(
      files.slice(0, 40).map((fileId, n) => kiln.index({ tenantId, fileId, chunks: [text(n), text(n + 1)] })),
    );
    const index = async () => {
      for (const [n, fileId] of files.entries()) {
        const again = kiln.index({ tenantId, fileId, jobNumber: nextJob(), chunks: [text(n + 2)] });
        await again.catch((error: { code?: string }) => assert.equal(error.code, 'SUPERSEDED'));
      }
    };
    const forget = async () => {
      for (let at = 0; at < 40; at += 8) {
        await request(tenantId, ...files.slice(at, at + 8));
        await drain();
      }
    };
    const merge = async () => {
      for (let round = 0; round < 30; round++) await kiln.maintainIndex.maintain(tenantId, 1);
    };
    await Promise.all([index(), forget(), merge(), forget(), merge(), index()]);
    await drain();
    await kiln.merge(tenantId);
    const { results, total } = await kiln.search(tenantId, 'everywhere', { limit: 200 });
    assert.equal(total, 20);
    assert.deepEqual(results.map((result) => uuidOf('file', result.file_id)).toSorted(), files.slice(40).toSorted());
    assert.equal((await kiln.search(tenantId, 'txt', { limit: 200 })).total, 20);
  });

  it('is let go of for good after eight days', async () => {
    const tenantId = randomUUID();
    await request(tenantId, randomUUID());
    await drain();
    await kiln.database.query({
      name: '',
      text: `update file set removed_at = now() - interval '9 days' where removed_at is not null`,
    });
    await drain();
    assert.deepEqual(
      await kiln.database.query({ name: '', text: 'select 1 from file where removed_at is not null' }),
      [],
    );
  });
});
