// Files and jobs that a request names by their properties.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { bodyOf, type KilnClient } from './support/kiln-client.js';
import { newSpace, until } from './support/stored-files.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

interface Changes {
  changed: number;
  errors: { job_id: string; code: string }[];
  more?: boolean;
}

interface Batch {
  total: number;
  completed: number;
  in_progress: number;
}

describe('a selection', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  beforeAll(async () => {
    system = await systemUnderTest();
    client = system.client;
  });
  afterAll(() => system.stop());

  const BROKEN = '%PDF-1.7 and no more';
  const upload = async (name: string, content: string, fields: Record<string, string>) =>
    bodyOf(await client.upload(name, content, fields), 201);
  const statusOf = async (id: string) => bodyOf(await client.get(`/v1/files/${id}`), 200)['status'];

  it('of files is deleted, and no other file', async () => {
    const space = newSpace();
    const metadata = (kind: string) => JSON.stringify({ kind });
    const stored = { space, skip_processing: 'true' };
    const old = [
      await upload('a.txt', 'a', { ...stored, metadata: metadata('old') }),
      await upload('b.txt', 'b', { ...stored, metadata: metadata('old') }),
    ];
    const kept = await upload('c.txt', 'c', { ...stored, metadata: metadata('new') });
    const json = { selection: { space, filter: { 'metadata.kind': { eq: 'old' } } } };
    const remove = () => client.request('DELETE', '/v1/files', { json });
    expect(bodyOf(await remove(), 200)).toStrictEqual({ deleted: 2, errors: [], more: false });
    expect(bodyOf(await remove(), 200)).toStrictEqual({ deleted: 0, errors: [], more: false });
    for (const { id } of old) expect((await client.get(`/v1/files/${id}`)).status).toBe(404);
    expect(await statusOf(kept.id)).toBe('uploaded');
  });

  it('of files is processed as a batch', async () => {
    const space = newSpace();
    for (const name of ['a.md', 'b.md']) await upload(name, '# Clay', { space, skip_processing: 'true' });
    const json = { selection: { space, status: 'uploaded' }, variants: ['markdown'] };
    const started = bodyOf(
      await client.request<{ batch_id: string; queued: number }>('POST', '/v1/files/process-batch', { json }),
      201,
    );
    expect(started).toMatchObject({ queued: 2, errors: [], more: false });
    const batch = await until(
      async () => bodyOf(await client.get<Batch>(`/v1/batches/${started.batch_id}?wait=60`), 200),
      ({ in_progress }) => in_progress === 0,
    );
    expect(batch).toMatchObject({ total: 2, completed: 2 });
  });

  it('of failed jobs is retried, and of waiting jobs cancelled', async () => {
    const space = newSpace();
    const failed = [await upload('a.pdf', BROKEN, { space }), await upload('b.pdf', BROKEN, { space })];
    for (const { job_id: id } of failed) expect((await client.waitForJob(id)).status).toBe('failed');
    await eventually(async () => expect(await statusOf(failed[0]?.id ?? '')).toBe('failed'));
    const change = async (what: string, json: object) =>
      bodyOf(await client.request<Changes>('POST', `/v1/jobs/${what}`, { json }), 200);
    expect(await change('retry', { selection: { space } })).toStrictEqual({ changed: 2, errors: [], more: false });
    for (const { job_id: id } of failed) expect((await client.waitForJob(id)).attempts).toBe(2);
    const waiting = bodyOf(
      await client.request<{ job_id: string }>('POST', '/v1/upload', { json: { filename: 'a', space } }),
      201,
    );
    expect(await change('cancel', { selection: { space } })).toStrictEqual({ changed: 1, errors: [], more: false });
    expect((await client.waitForJob(waiting.job_id)).status).toBe('cancelled');
    const [one] = failed;
    const outcome = await change('cancel', { job_ids: [one?.job_id, 'job_unknown', one?.job_id] });
    expect([outcome.changed, outcome.errors.map(({ code }) => code)]).toStrictEqual([0, ['CONFLICT', 'NOT_FOUND']]);
  });

  it.each([
    ['DELETE', '/v1/files', {}],
    ['DELETE', '/v1/files', { selection: {} }],
    ['DELETE', '/v1/files', { file_ids: ['file_1'], selection: { space: 'a' } }],
    ['POST', '/v1/jobs/cancel', { selection: {} }],
    ['POST', '/v1/jobs/retry', { job_ids: [] }],
    ['POST', '/v1/files/process-batch', { selection: { status: 'gone' } }],
  ])('of everything, of nothing or of two kinds is refused: %s %s %j', async (method, path, json) => {
    expect((await client.request(method, path, { json })).status).toBe(400);
  });
});
