// Real: Postgres. Faked: the moment at which the job is created.
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { encodeId, unknownLabels } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { JobEntity } from '../jobs/job.entity.js';
import { JobStore } from '../jobs/job.store.js';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { FailUpload } from './fail-upload.usecase.js';

const failure = {
  error: { code: 'upload_expired', message: 'Nothing was uploaded.', retryable: false },
  ...unknownLabels,
} as const;

describe('the failure of an upload', () => {
  let kiln: JobsHarness;
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterAll(() => kiln.close());

  const tenantId = uuidv7();

  it('fails the job once, if the job is created while the event is handled', async () => {
    const upload = { tenantId, fileId: uuidv7(), jobId: uuidv7() };
    const ids = { file_id: encodeId('file', upload.fileId), job_id: encodeId('job', upload.jobId) };
    let isCreated = false;
    const createAfter = async <Result>(statement: Promise<Result>): Promise<Result> => {
      const result = await statement;
      if (!isCreated) await kiln.add(tenantId, { ...ids, ready: false });
      isCreated = true;
      return result;
    };
    const { jobs, deletedFiles } = kiln;
    const { database } = kiln;
    const raced = new JobStore(database, database.dataSource.getRepository(JobEntity));
    jest.spyOn(raced, 'exists').mockImplementation((...asked) => createAfter(jobs.exists(...asked)));
    jest.spyOn(raced, 'failWaiting').mockImplementation((...asked) => createAfter(jobs.failWaiting(...asked)));
    const failUpload = new FailUpload(raced, deletedFiles);
    const handle = () => kiln.database.transaction((transaction) => failUpload.execute(transaction, upload, failure));
    // An event whose handler throws is redelivered.
    await handle().catch(handle);
    expect((await kiln.stored(tenantId, upload.jobId)).status).toBe('failed');
    await handle();
    expect(await kiln.eventsOf(upload.jobId)).toStrictEqual(['file.processing.failed', 'job.failed']);
  });
});
