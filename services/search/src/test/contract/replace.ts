// What every text index must do.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type SearchHarness } from '../search-harness.js';

/** The newer job has the lower id, as when the clock of the process that created it was behind. */
const OLDER_JOB = { jobId: '01938a3c-7b7f-7c3d-9d51-000000000000', jobNumber: 1 };
const NEWER_JOB = { jobId: '01938a3c-7b7e-7c3d-9d51-000000000001', jobNumber: 2 };

/** `start` opens the service with one of the text indexes. */
export const describeReplace = (start: () => Promise<SearchHarness>) => {
  let kiln: SearchHarness;
  beforeAll(async () => {
    kiln = await start();
  });
  afterAll(() => kiln.close());

  it('makes the new chunks findable, and the old ones no longer', async () => {
    const tenantId = randomUUID();
    const fileId = randomUUID();
    await kiln.index({ tenantId, fileId, ...OLDER_JOB, chunks: ['obsolete words', 'more'] });
    await kiln.index({ tenantId, fileId, ...NEWER_JOB, chunks: ['current words'] });
    expect((await kiln.search(tenantId, 'obsolete')).total).toBe(0);
    expect((await kiln.search(tenantId, 'current')).total).toBe(1);
  });

  it('refuses a lower fencing token of the same job and any run of an older job, whatever the order of their ids', async () => {
    const tenantId = randomUUID();
    const fileId = randomUUID();
    await kiln.index({ tenantId, fileId, ...NEWER_JOB, fence: 5, chunks: ['current'] });
    const stale = { code: 'SUPERSEDED' };
    await expect(kiln.index({ tenantId, fileId, ...NEWER_JOB, fence: 4, chunks: ['x'] })).rejects.toMatchObject(stale);
    await expect(kiln.index({ tenantId, fileId, ...OLDER_JOB, fence: 9, chunks: ['x'] })).rejects.toMatchObject(stale);
    expect((await kiln.search(tenantId, 'current')).total).toBe(1);
  });

  it('returns the same result when a run is repeated', async () => {
    const tenantId = randomUUID();
    const file = { tenantId, fileId: randomUUID(), ...NEWER_JOB, fence: 2 };
    const lines = '{"index":0,"text":"single","start":0,"end":6,"page":1,"heading_path":["A"]}\n';
    const answers = await Promise.all([1, 2, 3].map(() => kiln.indexObject(file, lines)));
    expect(new Set(answers.map(({ chunks }) => chunks))).toStrictEqual(new Set([1]));
    expect((await kiln.search(tenantId, 'single')).total).toBe(1);
  });
};
