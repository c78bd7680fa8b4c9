// Requests that wait for the end of a job or a batch, in place of repeated ones.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyOf, type CreatedFile, type Job, type KilnClient } from './support/kiln-client.js';
import { newSpace, putBytes, until } from './support/stored-files.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

interface Batch {
  total: number;
  completed: number;
  failed: number;
  cancelled: number;
  in_progress: number;
}

describe('a request that waits', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  beforeAll(async () => {
    system = await systemUnderTest();
    client = system.client;
  });
  afterAll(() => system.stop());

  const job = async (id: string, seconds: number) =>
    bodyOf(await client.get<Job>(`/v1/jobs/${id}?wait=${seconds}`), 200).status;
  /** The state at the end. A busy machine may need longer than a request waits. */
  const atEnd = (id: string) =>
    until(
      () => job(id, 60),
      (status) => status !== 'queued' && status !== 'processing',
    );
  const newUpload = async () => bodyOf(await client.post<CreatedFile>('/v1/upload', { filename: 'a.md' }), 201);

  it('for a job is answered when it has completed, failed or been cancelled', async () => {
    const { body: good } = await client.upload('a.md', '# Clay', {});
    expect(await atEnd(good.job_id)).toBe('completed');
    const { body: broken } = await client.upload('a.pdf', '%PDF-1.7 and no more', {});
    expect(await atEnd(broken.job_id)).toBe('failed');
    const { job_id: cancelled } = await newUpload();
    const answer = atEnd(cancelled);
    expect((await client.request('POST', `/v1/jobs/${cancelled}/cancel`)).status).toBe(200);
    expect(await answer).toBe('cancelled');
  });

  it('for a job that does not end is answered with its state', async () => {
    const { job_id: id } = await newUpload();
    expect([await job(id, 0), await job(id, 1)]).toStrictEqual(['queued', 'queued']);
  });

  it('for a batch is answered when none of its files is in progress', async () => {
    const files = Array.from({ length: 5 }, (_, at) => ({ filename: `${at}.md`, space: newSpace() }));
    const { batch_id: id, files: created } = bodyOf(
      await client.post<{ batch_id: string; files: CreatedFile[] }>('/v1/upload/batch', { files }),
      201,
    );
    const answer = until(
      async () => bodyOf(await client.get<Batch>(`/v1/batches/${id}?wait=60`), 200),
      ({ in_progress }) => in_progress === 0,
    );
    const [cancelled, ...sent] = created;
    for (const [at, file] of sent.entries()) await putBytes(file.upload_url, `# Clay ${at}`);
    await client.request('POST', `/v1/jobs/${cancelled?.job_id}/cancel`);
    expect(await answer).toMatchObject({
      total: 5,
      completed: 4,
      failed: 0,
      cancelled: 1,
      in_progress: 0,
    });
  });

  it('is refused for what does not exist, and for a time that is too long', async () => {
    expect((await client.get('/v1/jobs/job_01h455vb4pex5vsknk084sn02q?wait=60')).status).toBe(404);
    const { job_id: id } = await newUpload();
    for (const wait of ['61', '-1', 'x', '1.5'])
      expect(await client.get(`/v1/jobs/${id}?wait=${wait}`)).toMatchObject({
        status: 400,
        body: { error: 'wait must be a whole number from 0 to 60' },
      });
  });
});
