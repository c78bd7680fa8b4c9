// Real: Postgres, the object store. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CodedError, encodeId } from '@kiln/contracts';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { RunFenceStore } from './run-fence.store.js';
import { FenceRuns } from './fence-runs.usecase.js';
import { contextOf, startSearch, toNdjson, type SearchHarness } from '../test/search-harness.js';

const superseded = { code: 'SUPERSEDED' };

describe('the index of a cancelled job', () => {
  let kiln: SearchHarness;
  let refusedRuns: RunFenceStore;
  let refuseRuns: FenceRuns;
  beforeAll(async () => {
    kiln = await startSearch();
    refusedRuns = new RunFenceStore(kiln.database);
    refuseRuns = new FenceRuns(kiln.database, refusedRuns);
  });
  afterAll(() => kiln.close());

  const tenantId = '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a10';
  const refuse = ({ fileId, jobId }: { fileId: string; jobId: string }, fence: number) =>
    refuseRuns.execute(
      { file_id: encodeId('file', fileId), job_id: encodeId('job', jobId), fence },
      contextOf(tenantId),
    );
  const newFile = () => ({ tenantId, fileId: randomUUID(), jobId: randomUUID() });

  it('is refused for runs that began before the cancellation, and for no other job', async () => {
    const file = newFile();
    await refuse(file, 3);
    await refuse(file, 2);
    await expect(kiln.index({ ...file, fence: 2, chunks: ['wildcat'] })).rejects.toMatchObject(superseded);
    expect((await kiln.search(tenantId, 'wildcat')).total).toBe(0);
    await kiln.index({ ...file, jobId: randomUUID(), jobNumber: 2, fence: 1, chunks: ['wildcat'] });
    expect((await kiln.search(tenantId, 'wildcat')).total).toBe(1);
  });

  it('does not change the previous index of the file', async () => {
    const file = newFile();
    await kiln.index({ ...file, fence: 1, chunks: ['pangolin'] });
    await refuse(file, 3);
    await expect(kiln.index({ ...file, fence: 2, chunks: ['okapi'] })).rejects.toMatchObject(superseded);
    expect([
      (await kiln.search(tenantId, 'pangolin')).total,
      (await kiln.search(tenantId, 'okapi')).total,
    ]).toStrictEqual([1, 0]);
  });

  const chunks = Array.from({ length: 40 }, (_, at) => `meerkat number ${at}`);
  type File = ReturnType<typeof newFile> & { space: string; fence: number };
  const writes = {
    'alone, by key': async (file: File) => void (await kiln.indexObject(file, toNdjson(chunks))),
    'together with others': async (file: File) => {
      const others = Array.from({ length: 9 }, () => ({ space: 'others', chunks }));
      const { refusal } = (await kiln.indexTogether(tenantId, [...others, { ...file, chunks }])).at(-1) ?? {};
      if (refusal) throw new CodedError(refusal.code, refusal.message);
    },
  };
  for (const [how, write] of Object.entries(writes)) {
    it(`is visible when the refusal returns, or never, at whatever moment that is: written ${how}`, async () => {
      const startedAt = performance.now();
      await write({ ...newFile(), space: 'timed', fence: 1 });
      const usualMs = Math.min(performance.now() - startedAt, 1_000);
      for (let round = 0; round < 24; round++) {
        const file = newFile();
        const space = `round-${how.slice(0, 5)}-${round}`;
        // Each round refuses at a later moment of the write, from before its beginning to long after its end. Which
        // rounds come too late depends on the machine.
        const moment = (round / 8 - 0.5) * usualMs;
        const written = delay(Math.max(-moment, 0))
          .then(() => write({ ...file, space, fence: 1 }))
          .then(
            () => true,
            () => false,
          );
        await delay(Math.max(moment, 0));
        await refuse(file, 2);
        const seen = (await kiln.search(tenantId, 'meerkat', { space })).total;
        const isWritten = await written;
        expect((await kiln.search(tenantId, 'meerkat', { space })).total).toBe(seen);
        expect(isWritten).toBe(seen === 1);
      }
    });
  }

  it('is refused for a day', async () => {
    await kiln.database.query({ name: '', text: `update run_fences set fenced_at = now() - interval '25 hours'` });
    await refuse(newFile(), 1);
    await refusedRuns.deleteExpired(1_000);
    expect(await kiln.database.query({ name: '', text: 'select 1 from run_fences' })).toHaveLength(1);
  });
});
