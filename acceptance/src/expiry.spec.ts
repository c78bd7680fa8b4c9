// Uploads whose bytes never come. The suite launches a system of its own, whose signed URLs live for seconds.
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { KilnClient, type CreatedFile } from './support/kiln-client.js';
import { newSpace, putBytes, until } from './support/stored-files.js';

const URL_SECONDS = 4;

describe('an upload whose URL has run out', () => {
  let system: RunningSystem;
  let client: KilnClient;
  before(async () => {
    system = await startSystem({ environment: { KILN_SIGNED_URL_SECONDS: String(URL_SECONDS) } });
    client = await KilnClient.of(system.baseUrl, system.apiKey);
  });
  after(() => system.stop());

  const fileOf = async (id: string) => (await client.get<CreatedFile>(`/v1/files/${id}`)).body;

  it('fails with its job, for the reason upload_expired, and takes no bytes any more', async () => {
    const space = newSpace();
    const { body: created } = await client.post<CreatedFile & { expires_in: number }>('/v1/upload', {
      filename: 'never.md',
      space,
    });
    assert.deepEqual([created.status, created.expires_in], ['uploading', URL_SECONDS]);
    const { body: sent } = await client.post<CreatedFile>('/v1/files', { filename: 'sent.md', space });
    await putBytes(sent.upload_url, '# Sent in time');

    const job = await client.waitForJob(created.job_id);
    assert.deepEqual(
      [job.status, job.attempts, job.error?.code, job.error?.retryable],
      ['failed', 0, 'upload_expired', false],
    );
    assert.match(job.error?.message ?? '', /expired/);
    const file = await fileOf(created.id);
    assert.deepEqual([file.status, file.size_bytes, file.sha256], ['failed', null, null]);
    assert.equal((await fetch(created.upload_url, { method: 'PUT', body: '# Late' })).status, 403);
    assert.equal((await client.get(`/v1/files/${created.id}/download`)).status, 409);
    assert.equal((await client.post(`/v1/files/${created.id}/process`, {})).status, 409);

    assert.equal((await client.waitForJob(sent.job_id)).status, 'completed');
    const list = await client.get<{ files: CreatedFile[] }>(`/v1/files?space=${space}&status=failed`);
    assert.deepEqual(
      list.body.files.map(({ id }) => id),
      [created.id],
    );
  });

  it('is failed also where no job waits for it, and counts as failed in its batch', async () => {
    const { body } = await client.post<{ batch_id: string; files: CreatedFile[] }>('/v1/upload/batch', {
      files: [{ filename: 'a.md', skip_processing: true }, { filename: 'b.md' }],
    });
    const batch = await until(
      async () => (await client.get<{ total: number; failed: number }>(`/v1/batches/${body.batch_id}`)).body,
      ({ failed }) => failed === 2,
    );
    assert.equal(batch.total, 2);
    for (const { id } of body.files) assert.equal((await fileOf(id)).status, 'failed');
  });
});
