// Real: Postgres. Faked: the passing of time, by moving when a file was deleted.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import type { WakeUp } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { DeleteFileJobs } from './delete-file-jobs.usecase.js';

describe('the jobs of a deleted file', () => {
  let kiln: JobsHarness;
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

  const tenantId = uuidv7();
  const forget = (fileId: string) => kiln.deletedFiles.deleteJobs(kiln.database, tenantId, fileId);
  const jobs = async () => (await kiln.sql('select 1 from jobs')).length;
  const age = (interval: string) => kiln.sql(`update deleted_files set deleted_at = now() - interval '${interval}'`);

  it('are deleted, and those of other files and tenants are not', async () => {
    const fileId = uuidv7();
    const ofFile = { file_id: encodeId('file', fileId) };
    await kiln.add(tenantId, ofFile);
    await kiln.add(tenantId);
    await kiln.add(uuidv7(), ofFile);
    expect(await forget(fileId)).toBe(false);
    expect(await jobs()).toBe(2);
  });

  it('are deleted by a call as by the event, which may come before or after it, and a running one is stopped', async () => {
    const [first, second] = [uuidv7(), uuidv7()];
    const wakeUps: unknown[] = [];
    const wakeUp = { send: (hint: unknown) => wakeUps.push(hint) } as unknown as WakeUp;
    const deletion = new DeleteFileJobs(kiln.database, kiln.deletedFiles, wakeUp);
    for (const fileId of [first, second]) await kiln.add(tenantId, { file_id: encodeId('file', fileId) });
    await kiln.claimed();
    await kiln.add(tenantId);
    const file_ids = [first, second].map((id) => encodeId('file', id));
    const caller = {
      requestId: 'r1',
      tenantId,
      mode: 'live' as const,
      principal: 'test',
      deadlineAt: Date.now() + 60_000,
    };
    for (const _ of [1, 2]) await deletion.deleteNow({ file_ids }, caller);
    expect(await jobs()).toBe(1);
    expect(wakeUps).toHaveLength(1);
    expect(await forget(first)).toBe(false);
  });

  it('that a concurrent request created are deleted by the confirmation', async () => {
    const fileId = uuidv7();
    const ofFile = { file_id: encodeId('file', fileId), ready: false };
    await kiln.database.transaction(async (transaction) => {
      const request = {
        ...ofFile,
        job_id: encodeId('job', uuidv7()),
        space: 'x',
        filename: 'x',
        content_type: null,
        size_bytes: null,
        batch_id: null,
        processing: {},
      };
      const made = await kiln.jobBatches.upsert(transaction, tenantId, [{ request, provider: null }]);
      expect(made.size).toBe(1);
      await forget(fileId);
    });
    expect(await jobs()).toBe(1);
    // Not before every such request has ended.
    expect(await kiln.deletedFiles.confirm(10)).toBe(0);
    await age('3 minutes');
    expect(await kiln.deletedFiles.confirm(10)).toBe(1);
    expect(await jobs()).toBe(0);
    expect(await kiln.deletedFiles.confirm(10)).toBe(0);
  });

  it('keep their tombstone while an event may still request one, and lose it after eight days', async () => {
    await forget(uuidv7());
    await age('3 minutes');
    await kiln.deletedFiles.confirm(10);
    await kiln.deletedFiles.sweep(10);
    expect(await kiln.sql('select 1 from deleted_files')).toHaveLength(1);
    await age('9 days');
    await kiln.deletedFiles.sweep(10);
    expect(await kiln.sql('select 1 from deleted_files')).toHaveLength(0);
  });
});
