// Real: Postgres, the object store. Faked: the event, by calling what it calls.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { uuidOf } from '@kiln/contracts';
import { createLogger } from '@kiln/platform';
import { FileRemovalStore } from '../store/file-removal.store.js';
import { RefusedRunStore } from '../store/refused-run.store.js';
import { ForgetFiles } from '../usecases/forget-files.usecase.js';
import { wrongStatistics } from './wrong-statistics.js';
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

  it('is found no more, and leaves the statistics as if it had never been', async () => {
    const tenantId = randomUUID();
    const gone = await kiln.index({ tenantId, title: 'Zebra', chunks: ['zebra stripes', 'common words'] });
    await kiln.index({ tenantId, chunks: ['common words'] });
    await request(tenantId, uuidOf('file', gone));
    await drain();
    assert.equal((await kiln.search(tenantId, 'zebra')).total, 0);
    assert.equal((await kiln.search(tenantId, 'common')).total, 1);
    assert.deepEqual(await wrongStatistics(kiln.database), []);
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
    assert.deepEqual(await wrongStatistics(kiln.database), []);
  });

  it('by the thousand leaves exact statistics while others are indexed and many replicas forget', async () => {
    const tenantId = randomUUID();
    const files = Array.from({ length: 60 }, () => randomUUID());
    const text = (n: number) => Array.from({ length: 30 }, (_, k) => `word${(n * 7 + k * 3) % 90}`).join(' ');
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
    await Promise.all([index(), forget(), forget(), index()]);
    await drain();
    assert.deepEqual(await wrongStatistics(kiln.database), []);
    const [row] = await kiln.database.query<{ files: number }>({
      name: '',
      text: `select count(distinct file_id)::int as files from passage where tenant_id = '${tenantId}'`,
    });
    assert.equal(row?.files, 20);
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
