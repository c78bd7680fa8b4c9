// Real: Postgres. Faked: the passing of time, by moving when a file was deleted.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { encodeId } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';

describe('the jobs of a deleted file', () => {
  let kiln: JobsHarness;
  before(async () => {
    kiln = await startJobs();
  });
  afterEach(() => kiln.clear());
  after(() => kiln.close());

  const tenantId = uuidv7();
  const forget = (fileId: string) => kiln.deletedFiles.forget(kiln.database, tenantId, fileId);
  const jobs = async () => (await kiln.sql('select 1 from jobs')).length;
  const age = (interval: string) => kiln.sql(`update deleted_files set deleted_at = now() - interval '${interval}'`);

  it('are deleted, and those of other files and tenants are not', async () => {
    const fileId = uuidv7();
    const ofFile = { file_id: encodeId('file', fileId) };
    await kiln.add(tenantId, ofFile);
    await kiln.add(tenantId);
    await kiln.add(uuidv7(), ofFile);
    assert.equal(await forget(fileId), false);
    assert.equal(await jobs(), 2);
  });

  it('that were made by a request which saw nothing of the deletion go with the second look', async () => {
    const fileId = uuidv7();
    const ofFile = { file_id: encodeId('file', fileId), ready: false };
    await kiln.database.transaction(async (transaction) => {
      const request = {
        ...ofFile,
        job_id: encodeId('job', uuidv7()),
        space: 'x',
        filename: 'x',
        content_type: null,
        batch_id: null,
        processing: {},
      };
      const made = await kiln.jobBatches.upsert(transaction, tenantId, [{ request, provider: null }]);
      assert.equal(made.size, 1);
      await forget(fileId);
    });
    assert.equal(await jobs(), 1);
    assert.equal(await kiln.deletedFiles.confirm(10), 0, 'not before every such request has ended');
    await age('3 minutes');
    assert.equal(await kiln.deletedFiles.confirm(10), 1);
    assert.equal(await jobs(), 0);
    assert.equal(await kiln.deletedFiles.confirm(10), 0);
  });

  it('are remembered while an event may ask for one, and let go of after eight days', async () => {
    await forget(uuidv7());
    await age('3 minutes');
    await kiln.deletedFiles.confirm(10);
    await kiln.deletedFiles.sweep(10);
    assert.equal((await kiln.sql('select 1 from deleted_files')).length, 1);
    await age('9 days');
    await kiln.deletedFiles.sweep(10);
    assert.equal((await kiln.sql('select 1 from deleted_files')).length, 0);
  });
});
