// Real: Postgres, the object store. Faked: nothing.
import { encodeId } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { RefusedRunStore } from '../store/refused-run.store.js';
import { RefuseRuns } from '../usecases/refuse-runs.usecase.js';
import { startSearch, type SearchHarness } from './search-harness.js';

const superseded = { code: 'SUPERSEDED' };

describe('the index of a cancelled job', () => {
  let kiln: SearchHarness;
  let refusedRuns: RefusedRunStore;
  let refuseRuns: RefuseRuns;
  before(async () => {
    kiln = await startSearch();
    refusedRuns = new RefusedRunStore(kiln.database);
    refuseRuns = new RefuseRuns(kiln.database, refusedRuns);
  });
  after(() => kiln.close());

  const tenantId = '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a10';
  const context = {
    requestId: 'test',
    tenantId,
    mode: 'live' as const,
    principal: 'test',
    deadlineAt: Date.now() + 120_000,
  };
  const refuse = ({ fileId, jobId }: { fileId: string; jobId: string }, fence: number) =>
    refuseRuns.execute({ file_id: encodeId('file', fileId), job_id: encodeId('job', jobId), fence }, context);
  const newFile = () => ({ tenantId, fileId: randomUUID(), jobId: randomUUID() });

  it('is refused, for runs that began before the cancel and for no other job', async () => {
    const file = newFile();
    await refuse(file, 3);
    await refuse(file, 2);
    await assert.rejects(kiln.index({ ...file, fence: 2, chunks: ['wildcat'] }), superseded);
    assert.equal((await kiln.search(tenantId, 'wildcat')).total, 0);
    await kiln.index({ ...file, jobId: randomUUID(), jobNumber: 2, fence: 1, chunks: ['wildcat'] });
    assert.equal((await kiln.search(tenantId, 'wildcat')).total, 1);
  });

  it('leaves what the file was found by before', async () => {
    const file = newFile();
    await kiln.index({ ...file, fence: 1, chunks: ['pangolin'] });
    await refuse(file, 3);
    await assert.rejects(kiln.index({ ...file, fence: 2, chunks: ['okapi'] }), superseded);
    assert.deepEqual(
      [(await kiln.search(tenantId, 'pangolin')).total, (await kiln.search(tenantId, 'okapi')).total],
      [1, 0],
    );
  });

  it('is either there when the refusal has answered, or never, whenever that comes', async () => {
    const indexed = { before: 0, never: 0 };
    const chunks = Array.from({ length: 40 }, (_, at) => `meerkat number ${at}`);
    const startedAt = performance.now();
    await kiln.index({ ...newFile(), space: 'timed', fence: 1, chunks });
    const usualMs = performance.now() - startedAt;
    for (let round = 0; round < 24; round++) {
      const file = newFile();
      const space = `round-${round}`;
      const write = kiln.index({ ...file, space, fence: 1, chunks }).then(
        () => true,
        () => false,
      );
      // A later moment of the write each round, from its beginning to long after its end.
      await delay((round / 8) * usualMs);
      await refuse(file, 2);
      const seen = (await kiln.search(tenantId, 'meerkat', { space })).total;
      const written = await write;
      assert.equal((await kiln.search(tenantId, 'meerkat', { space })).total, seen);
      assert.equal(written, seen === 1);
      indexed[written ? 'before' : 'never']++;
    }
    assert.ok(indexed.before > 0 && indexed.never > 0, JSON.stringify(indexed));
  });

  it('is remembered for a day', async () => {
    await kiln.database.query({ name: '', text: `update refused_run set refused_at = now() - interval '25 hours'` });
    await refuse(newFile(), 1);
    await refusedRuns.forget(1_000);
    assert.equal((await kiln.database.query({ name: '', text: 'select 1 from refused_run' })).length, 1);
  });
});
