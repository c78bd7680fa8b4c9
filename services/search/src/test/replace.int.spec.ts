import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { startSearch, type SearchHarness } from './search-harness.js';

/** The clock of the process that made the newer job was behind: its id is the lower one. */
const OLDER_JOB = { jobId: '01938a3c-7b7f-7c3d-9d51-000000000000', jobNumber: 1 };
const NEWER_JOB = { jobId: '01938a3c-7b7e-7c3d-9d51-000000000001', jobNumber: 2 };

describe('replacing the index of a file', () => {
  let kiln: SearchHarness;
  before(async () => {
    kiln = await startSearch();
  });
  after(() => kiln.close());

  it('makes the new chunks findable and the old ones not', async () => {
    const tenantId = randomUUID();
    const fileId = randomUUID();
    await kiln.index({ tenantId, fileId, ...OLDER_JOB, chunks: ['obsolete words', 'more'] });
    await kiln.index({ tenantId, fileId, ...NEWER_JOB, chunks: ['current words'] });
    assert.equal((await kiln.search(tenantId, 'obsolete')).total, 0);
    assert.equal((await kiln.search(tenantId, 'current')).total, 1);
  });

  it('refuses an earlier fence of the same job and any run of an older job, whatever the order of their ids', async () => {
    const tenantId = randomUUID();
    const fileId = randomUUID();
    await kiln.index({ tenantId, fileId, ...NEWER_JOB, fence: 5, chunks: ['standing'] });
    const stale = { code: 'SUPERSEDED' };
    await assert.rejects(kiln.index({ tenantId, fileId, ...NEWER_JOB, fence: 4, chunks: ['x'] }), stale);
    await assert.rejects(kiln.index({ tenantId, fileId, ...OLDER_JOB, fence: 9, chunks: ['x'] }), stale);
    assert.equal((await kiln.search(tenantId, 'standing')).total, 1);
  });

  it('answers a repeat of the same run like the first time', async () => {
    const tenantId = randomUUID();
    const file = { tenantId, fileId: randomUUID(), ...NEWER_JOB, fence: 2 };
    const lines = '{"index":0,"text":"single","start":0,"end":6,"page":1,"heading_path":["A"]}\n';
    const answers = await Promise.all([1, 2, 3].map(() => kiln.indexObject(file, lines)));
    assert.deepEqual(new Set(answers.map(({ chunks }) => chunks)), new Set([1]));
    assert.equal((await kiln.search(tenantId, 'single')).total, 1);
  });
});
