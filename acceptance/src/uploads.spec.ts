// Uploads, batches and reprocessing, as callers see them.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyOf, type CreatedFile, type KilnClient } from './support/kiln-client.js';
import { newSpace, putBytes, storeFile, UNKNOWN_FILE, until } from './support/stored-files.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

interface Batch {
  id: string;
  total: number;
  completed: number;
  failed: number;
  cancelled: number;
  in_progress: number;
  files: { id: string; status: string }[];
}
interface BatchUpload {
  batch_id: string;
  files: (Partial<CreatedFile> & { index: number; error?: { code: string; message: string } })[];
}
type Fault = { error: string; code: string };

describe('uploads', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  beforeAll(async () => {
    system = await systemUnderTest();
    client = system.client;
  });
  afterAll(() => system.stop());

  describe('an upload', () => {
    it('by POST /v1/files returns a job and a URL, and completes after its bytes were sent', async () => {
      const space = newSpace();
      const { status, body } = await client.post<CreatedFile>('/v1/files', {
        filename: 'note.md',
        space,
        metadata: { k: 'v' },
      });
      expect([status, body.status, body.space, body.filename]).toStrictEqual([201, 'uploading', space, 'note.md']);
      expect((await client.get(`/v1/files/${body.id}/download`)).status).toBe(409);
      expect((await client.post(`/v1/files/${body.id}/process`, {})).status).toBe(409);
      await putBytes(body.upload_url, '# Note');
      expect((await client.waitForJob(body.job_id)).status).toBe('completed');
      const file = await client.get<CreatedFile & { metadata: object; variants: object[] }>(`/v1/files/${body.id}`);
      expect([file.body.status, file.body.size_bytes, file.body.metadata]).toStrictEqual(['completed', 6, { k: 'v' }]);
      expect(file.body.variants).toHaveLength(3);
    });

    it('with an invalid field is 400 and names it, as JSON and as multipart', async () => {
      const metadata = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${at}`, 'v']));
      const wrong: [path: string, fields: Record<string, unknown>][] = [
        ['filename', { filename: '' }],
        ['filename', { filename: '../a' }],
        ['filename', { filename: 'a\u0000' }],
        ['filename', { filename: 'ä'.repeat(128) }],
        ['space', { space: 'a b' }],
        ['space', { space: 'x'.repeat(65) }],
        ['content_type', { content_type: 'pdf' }],
        ['provider', { provider: 'magic' }],
        ['variants', { variants: ['everything'] }],
        ['chunking.chunk_size', { chunking: { chunk_size: 99 } }],
        ['chunking.chunk_overlap', { chunking: { chunk_size: 100, chunk_overlap: 51 } }],
        ['chunking.strategy', { chunking: { strategy: 'magic' } }],
        ['metadata', { metadata: metadata(51) }],
        ['metadata', { metadata: { k: 'v'.repeat(1_025) } }],
        ['metadata', { metadata: { ['k'.repeat(65)]: 'v' } }],
        ['metadata.k', { metadata: { k: 1 } }],
        ['size_bytes', { size_bytes: -1 }],
        ['skip_processing', { skip_processing: 'perhaps' }],
      ];
      for (const [path, fields] of wrong) {
        const json = await client.post<Fault>('/v1/upload', { filename: 'a.txt', ...fields });
        expect(bodyOf(json, 400).error).toContain(path);
        const texts = Object.entries(fields).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]);
        const multipart = await client.upload('a.txt', 'hello', Object.fromEntries(texts) as Record<string, string>);
        expect((bodyOf(multipart, 400) as unknown as Fault).error).toContain(path);
      }
      expect((await client.post('/v1/upload', {})).status).toBe(400);
      expect(
        (await client.upload('a.txt', 'x', { metadata: JSON.stringify(metadata(50)), skip_processing: 'true' })).status,
      ).toBe(201);
    });

    it('accepts every field as multipart, before the file', async () => {
      const space = newSpace();
      const fields = {
        space,
        filename: 'renamed.md',
        content_type: 'text/markdown',
        variants: '["markdown"]',
        chunking: '{"chunk_size":150}',
        provider: 'document_extractor',
        metadata: '{"a":"b"}',
      };
      const { status, body } = await client.upload('original.txt', '# Hello', fields);
      expect([status, body.filename, body.content_type]).toStrictEqual([201, 'renamed.md', 'text/markdown']);
      await client.waitForJob(body.job_id);
      const { body: file } = await client.get<{ variants: { type: string }[] }>(`/v1/files/${body.id}`);
      expect(file.variants.map(({ type }) => type)).toStrictEqual(['markdown']);
    });
  });

  describe('a batch of uploads', () => {
    it('returns its entries in order, including errors, and has live counts until all are done', async () => {
      const space = newSpace();
      const { status, body } = await client.post<BatchUpload>('/v1/upload/batch', {
        files: [
          { filename: 'one.md', space },
          { filename: 'a/b', space },
          { filename: 'kept.md', space, skip_processing: true },
          { filename: 'broken.pdf', space },
        ],
      });
      expect(status).toBe(201);
      expect(body.files.map(({ index, filename, error }) => [index, filename ?? error?.code])).toStrictEqual([
        [0, 'one.md'],
        [1, 'BAD_REQUEST'],
        [2, 'kept.md'],
        [3, 'broken.pdf'],
      ]);
      const batch = async () => (await client.get<Batch>(`/v1/batches/${body.batch_id}`)).body;
      const counts = ({ total, completed, failed, cancelled, in_progress }: Batch) => [
        total,
        completed,
        failed,
        cancelled,
        in_progress,
      ];
      expect(counts(await batch())).toStrictEqual([3, 0, 0, 0, 3]);
      const [one, , kept, broken] = body.files;
      expect(kept?.job_id).toBeNull();
      const { body: job } = await client.get<{ status: string; batch_id: string }>(`/v1/jobs/${one?.job_id}`);
      expect([job.status, job.batch_id]).toStrictEqual(['queued', body.batch_id]);
      await putBytes(one?.upload_url ?? '', '# One');
      await putBytes(kept?.upload_url ?? '', '# Kept');
      await putBytes(broken?.upload_url ?? '', '%PDF-1.7 and then nothing');
      const done = await until(batch, ({ in_progress }) => in_progress === 0);
      expect(counts(done)).toStrictEqual([3, 2, 1, 0, 0]);
      expect(done.files.map(({ status }) => status).sort()).toStrictEqual(['completed', 'failed', 'uploaded']);
    });

    it('with no valid entry, none, 51 or another type is 400; an unknown batch is 404', async () => {
      for (const files of [
        [{ filename: 'a/b' }],
        [],
        Array.from({ length: 51 }, () => ({ filename: 'a.txt' })),
        'a',
        null,
      ]) {
        const { status, body } = await client.post<Fault>('/v1/upload/batch', { files });
        expect(status).toBe(400);
        expect(body.error).toMatch(/files/);
      }
      expect((await client.get('/v1/batches/batch_01h455vb4pex5vsknk084sn02q')).status).toBe(404);
      expect((await client.get('/v1/batches/nonsense')).status).toBe(404);
    });
  });

  describe('processing again', () => {
    it('creates the requested variants, and keeps the others readable', async () => {
      const { body } = await client.upload('again.md', '# Again', { space: newSpace() });
      await client.waitForJob(body.job_id);
      const variants = async () =>
        (await client.get<{ variants: { id: string; type: string }[] }>(`/v1/files/${body.id}`)).body.variants;
      const before = await variants();
      const started = await client.post<{ job_id: string; status: string; file_id: string }>(
        `/v1/files/${body.id}/process`,
        { variants: ['markdown'] },
      );
      expect(started.status).toBe(201);
      expect([started.body.file_id, started.body.status]).toStrictEqual([body.id, 'queued']);
      expect(await variants()).toHaveLength(before.length);
      expect((await client.waitForJob(started.body.job_id)).status).toBe('completed');
      const now = await variants();
      expect(now.map(({ type }) => type)).toStrictEqual(before.map(({ type }) => type));
      const changed = now.filter(({ id }) => !before.some((variant) => variant.id === id)).map(({ type }) => type);
      expect(changed).toStrictEqual(['markdown']);
    });

    it('without a body processes a file that was stored without processing; the newest of two requests wins', async () => {
      const file = await storeFile(client, 'later.md', { space: newSpace() }, '# Later');
      const first = await client.request<{ job_id: string }>('POST', `/v1/files/${file.id}/process`);
      const second = await client.request<{ job_id: string }>('POST', `/v1/files/${file.id}/process`);
      expect([first.status, second.status]).toStrictEqual([201, 201]);
      expect((await client.waitForJob(second.body.job_id)).status).toBe('completed');
      expect(['completed', 'cancelled']).toContain((await client.waitForJob(first.body.job_id)).status);
      expect((await client.get<CreatedFile>(`/v1/files/${file.id}`)).body.status).toBe('completed');
      expect((await client.get<CreatedFile>(`/v1/files/${file.id}`)).body.job_id).toBe(second.body.job_id);
    });

    it('of many files queues the valid ones as a batch, and returns the reason for each other one', async () => {
      const space = newSpace();
      const [a, b] = [
        await storeFile(client, 'a.md', { space }, '# A'),
        await storeFile(client, 'b.md', { space }, '# B'),
      ];
      const waiting = await client.post<CreatedFile>('/v1/upload', { filename: 'c.md', space });
      const file_ids = [a.id, UNKNOWN_FILE, 'nonsense', b.id, waiting.body.id, a.id];
      const { status, body } = await client.post<{
        batch_id: string;
        queued: number;
        job_ids: string[];
        errors: { file_id: string; code: string }[];
      }>('/v1/files/process-batch', { file_ids, variants: ['markdown'] });
      expect([status, body.queued, body.job_ids.length]).toStrictEqual([201, 2, 2]);
      expect(body.errors.map(({ file_id, code }) => [file_id, code])).toStrictEqual([
        [UNKNOWN_FILE, 'NOT_FOUND'],
        ['nonsense', 'NOT_FOUND'],
        [waiting.body.id, 'CONFLICT'],
      ]);
      for (const id of body.job_ids) expect((await client.waitForJob(id)).status).toBe('completed');
      const batch = await client.get<Batch>(`/v1/batches/${body.batch_id}`);
      expect([batch.body.total, batch.body.completed]).toStrictEqual([2, 2]);
    });

    it('rejects invalid requests', async () => {
      const tooMany = Array.from({ length: 1_001 }, () => UNKNOWN_FILE);
      for (const body of [
        {},
        { file_ids: [] },
        { file_ids: tooMany },
        { file_ids: 'a' },
        { file_ids: [UNKNOWN_FILE], provider: 'x' },
      ]) {
        expect((await client.post('/v1/files/process-batch', body)).status).toBe(400);
      }
      const connection = { connection_id: 'conn_01h455vb4pex5vsknk084sn02q' };
      expect((await client.post('/v1/files/process-batch', connection)).status).toBe(404);
      expect((await client.post('/v1/files/process-batch', { ...connection, file_ids: [UNKNOWN_FILE] })).status).toBe(
        400,
      );
      expect((await client.post(`/v1/files/${UNKNOWN_FILE}/process`, {})).status).toBe(404);
      expect((await client.post('/v1/files/nonsense/process', {})).status).toBe(404);
      const file = await storeFile(client, 'a.md');
      expect((await client.post(`/v1/files/${file.id}/process`, { variants: ['x'] })).status).toBe(400);
    });
  });
});
