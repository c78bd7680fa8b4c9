// Uploads, batches and processing again, as a caller meets them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CreatedFile, KilnClient } from './support/kiln-client.js';
import { newSpace, putBytes, storeFile, UNKNOWN_FILE, until } from './support/stored-files.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

interface Batch {
  id: string;
  total: number;
  completed: number;
  failed: number;
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
  before(async () => {
    system = await systemUnderTest();
    client = system.client;
  });
  after(() => system.stop());

  describe('an upload', () => {
    it('by POST /v1/files gets a job and a URL, and is completed once its bytes are sent', async () => {
      const space = newSpace();
      const { status, body } = await client.post<CreatedFile>('/v1/files', {
        filename: 'note.md',
        space,
        metadata: { k: 'v' },
      });
      assert.deepEqual([status, body.status, body.space, body.filename], [201, 'uploading', space, 'note.md']);
      assert.equal((await client.get(`/v1/files/${body.id}/download`)).status, 409);
      assert.equal((await client.post(`/v1/files/${body.id}/process`, {})).status, 409);
      await putBytes(body.upload_url, '# Note');
      assert.equal((await client.waitForJob(body.job_id)).status, 'completed');
      const file = await client.get<CreatedFile & { metadata: object; variants: object[] }>(`/v1/files/${body.id}`);
      assert.deepEqual([file.body.status, file.body.size_bytes, file.body.metadata], ['completed', 6, { k: 'v' }]);
      assert.equal(file.body.variants.length, 3);
    });

    it('with a wrong field is 400 and names it, as JSON and as multipart', async () => {
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
        assert.equal(json.status, 400, path);
        assert.ok(json.body.error.includes(path), `${path}: ${json.body.error}`);
        const texts = Object.entries(fields).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]);
        const multipart = await client.upload('a.txt', 'hello', Object.fromEntries(texts) as Record<string, string>);
        assert.equal(multipart.status, 400, `multipart ${path}`);
        assert.ok((multipart.body as unknown as Fault).error.includes(path), path);
      }
      assert.equal((await client.post('/v1/upload', {})).status, 400);
      assert.equal(
        (await client.upload('a.txt', 'x', { metadata: JSON.stringify(metadata(50)), skip_processing: 'true' })).status,
        201,
      );
    });

    it('takes every field as multipart, before the file', async () => {
      const space = newSpace();
      const fields = {
        space,
        filename: 'renamed.md',
        content_type: 'text/markdown',
        variants: '["markdown"]',
        chunking: '{"strategy":"fixed","chunk_size":200,"chunk_overlap":0}',
        provider: 'document_extractor',
        metadata: '{"a":"b"}',
      };
      const { status, body } = await client.upload('original.txt', '# Hello', fields);
      assert.deepEqual([status, body.filename, body.content_type], [201, 'renamed.md', 'text/markdown']);
      await client.waitForJob(body.job_id);
      const { body: file } = await client.get<{ variants: { type: string }[] }>(`/v1/files/${body.id}`);
      assert.deepEqual(
        file.variants.map(({ type }) => type),
        ['markdown'],
      );
    });
  });

  describe('a batch of uploads', () => {
    it('answers in the order of its entries, a bad one in its place, and counts live until all are done', async () => {
      const space = newSpace();
      const { status, body } = await client.post<BatchUpload>('/v1/upload/batch', {
        files: [
          { filename: 'one.md', space },
          { filename: 'a/b', space },
          { filename: 'kept.md', space, skip_processing: true },
          { filename: 'broken.pdf', space },
        ],
      });
      assert.equal(status, 201);
      assert.deepEqual(
        body.files.map(({ index, filename, error }) => [index, filename ?? error?.code]),
        [
          [0, 'one.md'],
          [1, 'BAD_REQUEST'],
          [2, 'kept.md'],
          [3, 'broken.pdf'],
        ],
      );
      const batch = async () => (await client.get<Batch>(`/v1/batches/${body.batch_id}`)).body;
      const counts = ({ total, completed, failed, in_progress }: Batch) => [total, completed, failed, in_progress];
      assert.deepEqual(counts(await batch()), [3, 0, 0, 3]);
      const [one, , kept, broken] = body.files;
      assert.equal(kept?.job_id, null);
      const { body: job } = await client.get<{ status: string; batch_id: string }>(`/v1/jobs/${one?.job_id}`);
      assert.deepEqual([job.status, job.batch_id], ['queued', body.batch_id]);
      await putBytes(one?.upload_url ?? '', '# One');
      await putBytes(kept?.upload_url ?? '', '# Kept');
      await putBytes(broken?.upload_url ?? '', '%PDF-1.7 and then nothing');
      const done = await until(batch, ({ in_progress }) => in_progress === 0);
      assert.deepEqual(counts(done), [3, 2, 1, 0]);
      assert.deepEqual(done.files.map(({ status }) => status).sort(), ['completed', 'failed', 'uploaded']);
    });

    it('with no right entry, with none, with 51 or with something else is 400; an unknown batch is 404', async () => {
      for (const files of [
        [{ filename: 'a/b' }],
        [],
        Array.from({ length: 51 }, () => ({ filename: 'a.txt' })),
        'a',
        null,
      ]) {
        const { status, body } = await client.post<Fault>('/v1/upload/batch', { files });
        assert.equal(status, 400);
        assert.match(body.error, /files/);
      }
      assert.equal((await client.get('/v1/batches/batch_01h455vb4pex5vsknk084sn02q')).status, 404);
      assert.equal((await client.get('/v1/batches/nonsense')).status, 404);
    });
  });

  describe('processing again', () => {
    it('makes the variants asked for, and leaves the others readable meanwhile and afterwards', async () => {
      const { body } = await client.upload('again.md', '# Again', { space: newSpace() });
      await client.waitForJob(body.job_id);
      const variants = async () =>
        (await client.get<{ variants: { id: string; type: string }[] }>(`/v1/files/${body.id}`)).body.variants;
      const before = await variants();
      const started = await client.post<{ job_id: string; status: string; file_id: string }>(
        `/v1/files/${body.id}/process`,
        { variants: ['markdown'] },
      );
      assert.equal(started.status, 201);
      assert.deepEqual([started.body.file_id, started.body.status], [body.id, 'queued']);
      assert.equal((await variants()).length, before.length);
      assert.equal((await client.waitForJob(started.body.job_id)).status, 'completed');
      const now = await variants();
      assert.deepEqual(
        now.map(({ type }) => type),
        before.map(({ type }) => type),
      );
      const changed = now.filter(({ id }) => !before.some((variant) => variant.id === id)).map(({ type }) => type);
      assert.deepEqual(changed, ['markdown']);
    });

    it('without a body processes a file that was stored without processing; the newest of two requests wins', async () => {
      const file = await storeFile(client, 'later.md', { space: newSpace() }, '# Later');
      const first = await client.request<{ job_id: string }>('POST', `/v1/files/${file.id}/process`);
      const second = await client.request<{ job_id: string }>('POST', `/v1/files/${file.id}/process`);
      assert.deepEqual([first.status, second.status], [201, 201]);
      assert.equal((await client.waitForJob(second.body.job_id)).status, 'completed');
      assert.ok(['completed', 'cancelled'].includes((await client.waitForJob(first.body.job_id)).status));
      assert.equal((await client.get<CreatedFile>(`/v1/files/${file.id}`)).body.status, 'completed');
      assert.equal((await client.get<CreatedFile>(`/v1/files/${file.id}`)).body.job_id, second.body.job_id);
    });

    it('of many files queues those it can as a batch, and says why of the others', async () => {
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
      assert.deepEqual([status, body.queued, body.job_ids.length], [201, 2, 2]);
      assert.deepEqual(
        body.errors.map(({ file_id, code }) => [file_id, code]),
        [
          [UNKNOWN_FILE, 'NOT_FOUND'],
          ['nonsense', 'NOT_FOUND'],
          [waiting.body.id, 'CONFLICT'],
        ],
      );
      for (const id of body.job_ids) assert.equal((await client.waitForJob(id)).status, 'completed');
      const batch = await client.get<Batch>(`/v1/batches/${body.batch_id}`);
      assert.deepEqual([batch.body.total, batch.body.completed], [2, 2]);
    });

    it('refuses what makes no sense', async () => {
      const tooMany = Array.from({ length: 1_001 }, () => UNKNOWN_FILE);
      for (const body of [
        {},
        { file_ids: [] },
        { file_ids: tooMany },
        { file_ids: 'a' },
        { file_ids: [UNKNOWN_FILE], provider: 'x' },
      ]) {
        assert.equal((await client.post('/v1/files/process-batch', body)).status, 400);
      }
      const connection = { connection_id: 'conn_01h455vb4pex5vsknk084sn02q' };
      assert.equal((await client.post('/v1/files/process-batch', connection)).status, 404);
      assert.equal(
        (await client.post('/v1/files/process-batch', { ...connection, file_ids: [UNKNOWN_FILE] })).status,
        400,
      );
      assert.equal((await client.post(`/v1/files/${UNKNOWN_FILE}/process`, {})).status, 404);
      assert.equal((await client.post('/v1/files/nonsense/process', {})).status, 404);
      const file = await storeFile(client, 'a.md');
      assert.equal((await client.post(`/v1/files/${file.id}/process`, { variants: ['x'] })).status, 400);
    });
  });
});
