// Real: gateway process, Postgres, NATS, Redis, object store. FAKES: the services (see test/fake-services.ts).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeId, filesOperations, jobsOperations, unavailable } from '@kiln/contracts';
import { assertStatus } from '@kiln/openapi-check/assert-status';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { ServedGateway } from '../test/served-gateway.js';

type Body = Record<string, unknown>;
interface Entry {
  index: number;
  id?: string;
  job_id?: string | null;
  filename?: string;
  error?: { code: string; message: string };
}

const newFileId = () => encodeId('file', uuidv7());

describe('batches at the gateway', () => {
  let gateway: ServedGateway;
  beforeAll(async () => {
    gateway = await ServedGateway.start({ KILN_RATE_LIMIT_BURST: '1000', KILN_RATE_LIMIT_RPS: '1000' });
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.stop());

  async function post(path: string, body?: unknown) {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    const response = await gateway.process.fetch(path, { method: 'POST', ...init });
    return { status: response.status, body: await gateway.responses.check('POST', path, response) };
  }
  const upload = async (files: unknown) => {
    const { status, body } = await post('/v1/upload/batch', { files });
    return { status, body, entries: (body as Body)['files'] as Entry[] };
  };
  const message = (body: unknown) => String((body as Body)['error']);

  it('an upload of a batch answers each entry in its place: the upload, or what is wrong with it', async () => {
    const { status, entries } = await upload([
      { filename: 'a.md', metadata: { owner: 'x' } },
      { filename: 'b.md', metadata: { owner: 7 } },
      'c.md',
      { filename: 'd.md', skip_processing: true },
    ]);
    expect(status).toBe(201);
    expect(entries.map(({ index, filename, error }) => [index, filename, error?.code])).toStrictEqual([
      [0, 'a.md', undefined],
      [1, undefined, 'BAD_REQUEST'],
      [2, undefined, 'BAD_REQUEST'],
      [3, 'd.md', undefined],
    ]);
    expect(entries[1]?.error?.message ?? '').toMatch(/^metadata\.owner /);
    expect(gateway.fakes.callsOf(filesOperations.createUploads)).toHaveLength(1);
    expect(entries[3]?.job_id).toBeNull();
    const jobs = gateway.fakes.callsOf(jobsOperations.createJobs);
    // One call makes all jobs. A file without a job gets none.
    expect(jobs).toHaveLength(1);
    // Its job is readable at once.
    expect((await gateway.process.fetch(`/v1/jobs/${entries[0]?.job_id}`)).status).toBe(200);
  });

  it.each([
    ['without a right entry', [{ filename: 'a/b' }], /no entry is right.*filename/],
    ['of no entries', [], /files/],
    ['of 51 entries', Array.from({ length: 51 }, () => ({ filename: 'a' })), /files/],
    ['that is a text', 'a', /files/],
    ['that is null', null, /files/],
    ['that is absent', undefined, /files/],
    ['that is an object', {}, /files/],
  ])('a batch %s is refused as a whole', async (_, files, reason) => {
    const { status, body } = await upload(files);
    expect(status).toBe(400);
    expect(message(body)).toMatch(reason);
    expect(gateway.fakes.callsOf(filesOperations.createUploads)).toHaveLength(0);
  });

  it('a large batch is registered in calls of at most 64 kB; a call that fails harms no other', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at}`, 'v'.repeat(1_000)]));
    const files = Array.from({ length: 45 }, (_, at) => ({ filename: `${at}.md`, metadata }));
    const { entries } = await upload(files);
    expect(entries.map(({ filename }) => filename)).toStrictEqual(files.map(({ filename }) => filename));
    const calls = gateway.fakes.callsOf(filesOperations.createUploads);
    expect(calls.map(({ input }) => input.files.length)).toStrictEqual(Array.from({ length: 15 }, () => 3));
    for (const { input } of calls) expect(JSON.stringify(input.files).length).toBeLessThanOrEqual(64_000);
    expect(new Set(calls.map(({ input }) => input.batch_id)).size).toBe(1);
    let asked = 0;
    gateway.fakes.override(filesOperations.createUploads, () => {
      const answered = asked++ * 3;
      if (answered === 0) return Promise.reject(unavailable('The files service'));
      return Promise.resolve({ files: entries.slice(answered, answered + 3) });
    });
    const again = await upload(files);
    expect(again.status).toBe(201);
    const codes = again.entries.map(({ error }) => error?.code ?? 'ok');
    expect(codes).toStrictEqual(files.map((_, at) => (at < 3 ? 'UNAVAILABLE' : 'ok')));
    gateway.fakes.override(filesOperations.createUploads, () => Promise.reject(unavailable('The files service')));
    expect((await upload(files)).status).toBe(503);
  });

  it('a batch of 50 files with 50 metadata values each is registered, however its characters are written; a larger body is 413', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [String(at).padStart(64, 'k'), '\u0001'.repeat(1_024)]),
    );
    const files = Array.from({ length: 50 }, (_, at) => ({ filename: `${at}.md`, metadata }));
    // On a busy machine the calls of such a batch may reach their deadline.
    await eventually(async () => {
      gateway.fakes.reset();
      const { status, entries } = await upload(files);
      expect([status, entries.filter(({ error }) => error)]).toStrictEqual([201, []]);
      const registered = gateway.fakes.callsOf(filesOperations.createUploads).flatMap(({ input }) => input.files);
      expect(registered.filter((file) => Object.keys(file.metadata ?? {}).length === 50)).toHaveLength(50);
    });
    expect((await upload([{ filename: 'a.md', other: 'x'.repeat(16 * 1_024 * 1_024) }])).status).toBe(413);
    expect((await post('/v1/upload', { filename: 'a.md', other: 'x'.repeat(1_024 * 1_024) })).status).toBe(413);
  });

  it('a file is processed with or without a body, and its job is readable at once', async () => {
    const { entries } = await upload([{ filename: 'a.md' }, { filename: 'b.md' }]);
    const id = entries[0]?.id ?? '';
    for (const body of [undefined, {}, { variants: ['markdown'], chunking: { strategy: 'fixed' } }]) {
      const { status, body: started } = await post(`/v1/files/${id}/process`, body);
      expect(status).toBe(201);
      const { job_id, ...rest } = started as Body;
      expect(rest).toStrictEqual({ file_id: id, status: 'queued' });
      expect((await gateway.process.fetch(`/v1/jobs/${String(job_id)}`)).status).toBe(200);
    }
    expect((await post(`/v1/files/${newFileId()}/process`)).status).toBe(404);
    expect((await post('/v1/files/nonsense/process')).status).toBe(404);
    for (const body of [{ provider: 'x' }, { variants: [] }, { chunking: { chunk_size: 1 } }, [], null])
      assertStatus(await post(`/v1/files/${id}/process`, body), 400, JSON.stringify(body));
  });

  it('process-batch queues each file once, and names the ids that are none', async () => {
    const { entries } = await upload([{ filename: 'a.md' }, { filename: 'b.md' }]);
    const [a, b] = entries.map(({ id }) => id ?? '');
    const strangers = [newFileId(), 'nonsense', encodeId('job', uuidv7())];
    const { status, body } = await post('/v1/files/process-batch', {
      file_ids: [strangers[0], a, 'nonsense', a, b, strangers[2]],
    });
    expect(status).toBe(201);
    const { queued, job_ids, errors } = body as {
      queued: number;
      job_ids: string[];
      errors: { file_id: string; code: string }[];
    };
    expect([queued, job_ids.length]).toStrictEqual([2, 2]);
    expect(errors.map(({ file_id, code }) => [file_id, code])).toStrictEqual(strangers.map((id) => [id, 'NOT_FOUND']));
  });

  it('process-batch takes 1,000 ids in parts, and wants either ids or a connection', async () => {
    const many = Array.from({ length: 1_000 }, newFileId);
    const { status, body } = await post('/v1/files/process-batch', { file_ids: many });
    expect([status, ((body as Body)['errors'] as unknown[]).length]).toStrictEqual([201, 1_000]);
    expect(gateway.fakes.callsOf(filesOperations.processFiles)).toHaveLength(5);
    const connection_id = encodeId('connection', uuidv7());
    for (const bad of [
      {},
      { file_ids: [] },
      { file_ids: [...many, newFileId()] },
      { file_ids: [1] },
      { file_ids: many, connection_id },
    ]) {
      expect((await post('/v1/files/process-batch', bad)).status).toBe(400);
    }
    expect((await post('/v1/files/process-batch', { connection_id })).status).toBe(404);
  });

  it('process-batch makes its batch also when no file is there to be queued', async () => {
    for (const sent of [{ file_ids: ['nonsense'] }, { selection: { status: 'failed' } }]) {
      gateway.fakes.reset();
      gateway.fakes.override(filesOperations.listFiles, () => Promise.resolve({ files: [], next_cursor: null }));
      const { status, body } = await post('/v1/files/process-batch', sent);
      expect([status, (body as Body)['queued']]).toStrictEqual([201, 0]);
      const made = gateway.fakes
        .callsOf(filesOperations.processFiles)
        .map(({ input }) => [input.batch_id, input.files]);
      expect(made).toStrictEqual([[(body as Body)['batch_id'], []]]);
    }
  });

  it('a file announced by POST /v1/files always gets a job, and a URL for its bytes', async () => {
    const { status, body } = await post('/v1/files', { filename: 'a.md', skip_processing: true, metadata: { k: 'v' } });
    expect(status).toBe(201);
    const { space, status: fileStatus, job_id, upload_url } = body as Body;
    expect([space, fileStatus, typeof upload_url]).toStrictEqual(['default', 'uploading', 'string']);
    expect(String(job_id)).toMatch(/^job_/);
    expect((await post('/v1/files', {})).status).toBe(400);
  });
});
