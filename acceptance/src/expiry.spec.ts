// Uploads whose bytes never arrive. The suite launches its own system, whose signed URLs are valid for seconds.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { KilnClient, type CreatedFile } from './support/kiln-client.js';
import { newSpace, until } from './support/stored-files.js';

const URL_SECONDS = 4;

describe('an upload with an expired URL', () => {
  let system: RunningSystem;
  let client: KilnClient;
  beforeAll(async () => {
    system = await startSystem({ environment: { KILN_SIGNED_URL_SECONDS: String(URL_SECONDS) } });
    client = await KilnClient.of(system.baseUrl, system.apiKey);
  });
  afterAll(() => system.stop());

  const fileOf = async (id: string) => (await client.get<CreatedFile>(`/v1/files/${id}`)).body;

  it('fails with its job as upload_expired, and accepts no bytes', async () => {
    const space = newSpace();
    const { body: created } = await client.post<CreatedFile & { expires_in: number }>('/v1/upload', {
      filename: 'never.md',
      space,
    });
    expect([created.status, created.expires_in]).toStrictEqual(['uploading', URL_SECONDS]);
    const expired = [created.id];
    let sent: CreatedFile;
    for (;;) {
      ({ body: sent } = await client.post<CreatedFile>('/v1/files', { filename: 'sent.md', space }));
      const { status } = await fetch(sent.upload_url, { method: 'PUT', body: '# Sent in time' });
      if (status === 200) break;
      // On a busy machine the URL may expire before the bytes are sent.
      expect(status).toBe(403);
      expired.push(sent.id);
    }

    const job = await client.waitForJob(created.job_id);
    expect([job.status, job.attempts, job.error?.code, job.error?.retryable]).toStrictEqual([
      'failed',
      0,
      'upload_expired',
      false,
    ]);
    expect(job.error?.message ?? '').toMatch(/expired/);
    const file = await fileOf(created.id);
    expect([file.status, file.size_bytes, file.sha256]).toStrictEqual(['failed', null, null]);
    expect((await fetch(created.upload_url, { method: 'PUT', body: '# Late' })).status).toBe(403);
    expect((await client.get(`/v1/files/${created.id}/download`)).status).toBe(409);
    expect((await client.post(`/v1/files/${created.id}/process`, {})).status).toBe(409);

    expect((await client.waitForJob(sent.job_id)).status).toBe('completed');
    await until(
      async () => (await client.get<{ files: CreatedFile[] }>(`/v1/files?space=${space}&status=failed`)).body.files,
      (failed) => failed.length >= expired.length,
    ).then((failed) => expect(new Set(failed.map(({ id }) => id))).toStrictEqual(new Set(expired)));
  });

  it('fails also without a job, and counts as failed in its batch', async () => {
    const { body } = await client.post<{ batch_id: string; files: CreatedFile[] }>('/v1/upload/batch', {
      files: [{ filename: 'a.md', skip_processing: true }, { filename: 'b.md' }],
    });
    const batch = await until(
      async () => (await client.get<{ total: number; failed: number }>(`/v1/batches/${body.batch_id}`)).body,
      ({ failed }) => failed === 2,
    );
    expect(batch.total).toBe(2);
    for (const { id } of body.files) expect((await fileOf(id)).status).toBe('failed');
  });
});
