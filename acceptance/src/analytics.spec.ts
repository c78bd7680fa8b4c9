// Analytics over HTTP: the numbers are what the lists show, soon after each change.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { bodyOf, KilnClient, type CreatedFile } from './support/kiln-client.js';
import { allOf, countedByLists, overviewEqualsLists, overviewOf, type Row } from './support/overview.js';
import { putBytes } from './support/stored-files.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

interface Day {
  date: string;
  uploads: number;
  uploaded_bytes: number;
  processed: number;
  failed: number;
}

describe('analytics', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  beforeAll(async () => {
    system = await systemUnderTest();
    client = await system.newClient();
  });
  afterAll(() => system.stop());

  const read = async <Body>(path: string) => bodyOf(await client.get<Body>(path), 200);

  const upload = async (space: string, name = 'a.md', content = '# Title\n\nAardvarks dig.') =>
    bodyOf(await client.upload(name, content, { space }), 201);
  const broken = (space: string) => upload(space, 'broken.pdf', '%PDF-1.7 and no more');
  /** Waits for the jobs of the files, and for the files: a file fails a moment after its job. */
  const ended = (files: CreatedFile[]) =>
    Promise.all(
      files.map(async ({ id, job_id }) => {
        await client.waitForJob(job_id);
        await eventually(async () => expect((await read<Row>(`/v1/files/${id}`)).status).not.toBe('processing'));
      }),
    );
  /** The sums of the last two days: a test may run across midnight. */
  async function counted() {
    const { data } = await read<{ data: Day[] }>('/v1/analytics/volume?days=2');
    const sumOf = (name: 'uploads' | 'processed' | 'failed') => data.reduce((sum, day) => sum + day[name], 0);
    return { uploads: sumOf('uploads'), processed: sumOf('processed'), failed: sumOf('failed') };
  }

  it('of an organization without files are zeros', async () => {
    expect(await overviewOf(client)).toStrictEqual(await countedByLists(client));
    const { data } = await read<{ data: Day[] }>('/v1/analytics/volume?days=3');
    expect(data.map(({ date: _date, ...numbers }) => numbers)).toStrictEqual(
      Array.from({ length: 3 }, () => ({ uploads: 0, uploaded_bytes: 0, processed: 0, failed: 0 })),
    );
  });

  it('follow uploads, failures, reprocessing and connections, and equal the lists', async () => {
    const files = [await upload('one'), await upload('one'), await upload('two'), await broken('two')];
    const skipped = await client.upload('b.md', 'stored', { space: 'one', skip_processing: 'true' });
    const signed = await client.post<CreatedFile>('/v1/upload', {
      filename: 'c.md',
      space: 'two',
      skip_processing: true,
    });
    await client.post('/v1/connections', { provider: 's3', name: 'Contracts', bucket: 'acme-documents' });
    await ended(files);
    const before = await overviewEqualsLists(client);
    expect(before.files_by_status).toStrictEqual({ uploading: 1, uploaded: 1, processing: 0, completed: 3, failed: 1 });

    await putBytes(signed.body.upload_url, '# Signed');
    const again = bodyOf(await client.post<{ job_id: string }>(`/v1/files/${skipped.body.id}/process`, {}), 201);
    await client.waitForJob(again.job_id);
    await eventually(async () => {
      const { status } = await read<Row>(`/v1/files/${signed.body.id}`);
      expect(status).toBe('uploaded');
    });
    await overviewEqualsLists(client);

    const [, , , failed] = files;
    const { failures } = await read<{ failures: { job_id: string; reason: string; message: string }[] }>(
      '/v1/analytics/failures',
    );
    expect(failures.map(({ job_id, reason }) => [job_id, reason])).toStrictEqual([[failed?.job_id, 'corrupt_file']]);
    const top = await read<{ failures: { reason: string; count: number }[] }>('/v1/analytics/top-failures');
    expect(top.failures.map(({ reason, count }) => [reason, count])).toStrictEqual([['corrupt_file', 1]]);
    expect(await counted()).toStrictEqual({ uploads: 6, processed: 4, failed: 1 });
    const { p50_ms: median } = await read<{ p50_ms: number }>('/v1/analytics/processing');
    expect(median).toBeGreaterThan(0);
  });

  it('follow deletions of single files and of a space, and keep the history', async () => {
    const { data: growthBefore } = await read<{ data: { total_bytes: number }[] }>(
      '/v1/analytics/storage-growth?days=1',
    );
    const files = await allOf<Row>(client, '/v1/files', 'files');
    const [first] = files.filter(({ space }) => space === 'one');
    bodyOf(await client.request('DELETE', `/v1/files/${first?.id}`), 200);
    bodyOf(await client.request('DELETE', '/v1/spaces/two?cascade=true'), 200);
    await overviewEqualsLists(client);
    const left = files.filter(({ id, space }) => space === 'one' && id !== first?.id);
    const bytes = left.reduce((sum, { size_bytes }) => sum + (size_bytes ?? 0), 0);
    const { data: growth } = await read<{ data: { total_bytes: number }[] }>('/v1/analytics/storage-growth?days=1');
    expect(growth[0]?.total_bytes).toBe(bytes);
    expect(growthBefore[0]?.total_bytes).toBeGreaterThan(bytes);
    const { spaces } = await read<{ spaces: { space: string; file_count: number }[] }>('/v1/analytics/spaces');
    expect(spaces.map(({ space, file_count: count }) => [space, count])).toStrictEqual([['one', left.length]]);
    const { failures } = await read<{ failures: unknown[] }>('/v1/analytics/failures');
    expect(failures).toStrictEqual([]);
    expect(await counted()).toStrictEqual({ uploads: 6, processed: 4, failed: 1 });
  });

  it('show test keys the test data only', async () => {
    const created = await client.post<{ key: string }>('/v1/org/api-keys', { name: 'testing', mode: 'test' });
    const test = await KilnClient.of(client.baseUrl, bodyOf(created, 201).key);
    expect(await overviewOf(test)).toMatchObject({ total_files: 0, total_jobs: 0 });
    const { body } = await test.upload('t.md', '# Test');
    await test.waitForJob(body.job_id);
    expect((await overviewEqualsLists(test)).total_files).toBe(1);
    await overviewEqualsLists(client);
  });
});
