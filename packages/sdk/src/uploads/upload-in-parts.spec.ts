import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hangUp, json, problem, startTestServer, type Behaviour, type TestServer } from '../fixtures/test-server.js';
import type { UploadProgress } from './upload-options.js';

const NOW = { 'retry-after': '0' };
const TEXT = 'some bytes';
const PART_BYTES = 4;
const upload = {
  id: 'file_1',
  status: 'uploading',
  job_id: 'job_1',
  size_bytes: TEXT.length,
  part_bytes: PART_BYTES,
  part_count: 3,
};
const done = { id: 'file_1', status: 'uploaded', job_id: 'job_1' };
const stored: Behaviour = (response) => void response.writeHead(200).end();

let server: TestServer;
let api: Record<string, Behaviour>;
/** What the store answers to the next requests for a part. Later ones are stored. */
let store: Record<string, Behaviour[]>;
beforeEach(async () => {
  server = await startTestServer();
  store = {};
  api = {
    'POST /v1/uploads': json(201, upload),
    'GET /v1/uploads/file_1': json(200, { ...upload, parts: [], next_cursor: null }),
    'POST /v1/uploads/file_1/complete': json(200, done),
    'POST /v1/uploads/file_1/parts': (response, received, request) => {
      const { part_numbers: numbers } = JSON.parse(received.body) as { part_numbers: number[] };
      const parts = numbers.map((number) => ({
        part_number: number,
        size_bytes: PART_BYTES,
        url: `${server.url}/part/${number}?signature=${server.received.length}`,
        headers: {},
      }));
      json(200, { parts, expires_in: 60 })(response, received, request);
    },
  };
  server.script((response, received, request) => {
    const [path = ''] = received.path.split('?');
    const behaviour = api[`${received.method} ${path}`] ?? store[path]?.shift() ?? stored;
    behaviour(response, received, request);
  });
});
afterEach(() => server.close());

const puts = () =>
  server.received
    .filter(({ method }) => method === 'PUT')
    .map(({ path, body }) => `${path.split('?')[0]} ${body}`)
    .sort();
const requests = (path: string) => server.received.filter((request) => request.path === path);
const WHOLE = ['/part/1 some', '/part/2  byt', '/part/3 es'];

describe('an upload in parts', () => {
  it('sends each part once, and completes', async () => {
    const seen: UploadProgress[] = [];
    const ids: string[] = [];
    const options = {
      onProgress: (progress: UploadProgress) => seen.push(progress),
      onBegin: ({ id }: { id: string }) => ids.push(id),
      partBytes: PART_BYTES,
      idempotencyKey: 'mine',
    };
    const file = await server.kiln().uploads.upload(new Blob([TEXT]), { filename: 'a.txt' }, options);
    expect(file).toMatchObject(done);
    expect(puts()).toStrictEqual(WHOLE);
    const [begun] = requests('/v1/uploads');
    expect(JSON.parse(begun?.body ?? '')).toStrictEqual({ filename: 'a.txt', size_bytes: 10, part_bytes: 4 });
    expect(begun?.headers['idempotency-key']).toBe('mine');
    expect(requests('/v1/uploads/file_1/parts')).toHaveLength(1);
    expect(requests('/v1/uploads/file_1/complete')[0]?.headers['idempotency-key']).not.toBe('mine');
    expect([ids, seen.at(-1)]).toStrictEqual([['file_1'], { sentBytes: 10, totalBytes: 10 }]);
  });

  it('sends again only the part that was interrupted', async () => {
    store['/part/2'] = [hangUp, problem(503, 'SlowDown', NOW)];
    await server.kiln().uploads.upload(new Blob([TEXT]), { filename: 'a.txt' });
    expect(puts()).toStrictEqual([WHOLE[0], WHOLE[1], WHOLE[1], WHOLE[1], WHOLE[2]]);
  });

  it('requests a new URL for one that has expired', async () => {
    store['/part/2'] = [problem(403, 'AccessDenied')];
    await server.kiln().uploads.upload(new Blob([TEXT]), { filename: 'a.txt' });
    expect(puts()).toStrictEqual([WHOLE[0], WHOLE[1], WHOLE[1], WHOLE[2]]);
    const second = server.received.filter(({ path }) => path.startsWith('/part/2')).map(({ path }) => path);
    expect(new Set(second).size).toBe(2);
  });

  it('ends with the error of a part, and is not completed', async () => {
    store['/part/2'] = [problem(403, 'AccessDenied'), problem(403, 'AccessDenied')];
    const failed = server.kiln().uploads.upload(new Blob([TEXT]), { filename: 'a.txt' });
    await expect(failed).rejects.toMatchObject({ code: 'UPLOAD_REFUSED', status: 403 });
    expect(requests('/v1/uploads/file_1/complete')).toStrictEqual([]);
  });

  it('ends with its signal', async () => {
    const controller = new AbortController();
    const reason = new Error('the caller has left');
    store['/part/1'] = [() => controller.abort(reason)];
    const options = { signal: controller.signal };
    await expect(server.kiln().uploads.upload(new Blob([TEXT]), { filename: 'a' }, options)).rejects.toBe(reason);
  });

  it('is completed again after a lost response', async () => {
    let lost = 0;
    api['POST /v1/uploads/file_1/complete'] = (...args) => ((lost += 1) === 1 ? hangUp : json(200, done))(...args);
    expect(await server.kiln().uploads.upload(new Blob([TEXT]), { filename: 'a.txt' })).toMatchObject(done);
    expect(lost).toBe(2);
  });

  it('needs a source that can be read from the middle', () => {
    const source = { filename: 'a', sizeBytes: 10, open: () => new Blob([TEXT]).stream() };
    expect(() => server.kiln().uploads.upload(source)).toThrow('slice');
    expect(server.received).toStrictEqual([]);
  });
});

describe('a resumed upload', () => {
  const part = (number: number) => ({ part_number: number, size_bytes: 4, etag: 'x' });

  it('sends what is missing, and counts what is there', async () => {
    const pages = [
      json(200, { ...upload, parts: [part(1)], next_cursor: 'more' }),
      json(200, { ...upload, parts: [part(3)], next_cursor: null }),
    ];
    api['GET /v1/uploads/file_1'] = (...args) => pages.shift()?.(...args);
    const seen: UploadProgress[] = [];
    const options = { onProgress: (progress: UploadProgress) => seen.push(progress) };
    expect(await server.kiln().uploads.resume('file_1', new Blob([TEXT]), options)).toMatchObject(done);
    expect(puts()).toStrictEqual([WHOLE[1]]);
    expect(seen.at(-1)).toStrictEqual({ sentBytes: 10, totalBytes: 10 });
    expect(requests('/v1/uploads')).toStrictEqual([]);
  });

  it('that is complete returns its file', async () => {
    api['GET /v1/uploads/file_1'] = json(200, { ...upload, status: 'processing', parts: [], next_cursor: null });
    expect(await server.kiln().uploads.resume('file_1', new Blob([TEXT]))).toMatchObject(done);
    expect(puts()).toStrictEqual([]);
  });

  it('of another size is refused', async () => {
    await expect(server.kiln().uploads.resume('file_1', new Blob(['other']))).rejects.toThrow('5 bytes');
  });
});

describe('a file', () => {
  it('of more than 64 MiB is uploaded in parts, if it can be cut', async () => {
    server.script(problem(402, 'QUOTA_EXCEEDED'));
    const sizeBytes = 64 * 1024 * 1024 + 1;
    const open = () => new Blob([TEXT]);
    const whole = { filename: 'a', sizeBytes, open };
    for (const source of [whole, { ...whole, slice: open }, { ...whole, sizeBytes: sizeBytes - 1, slice: open }])
      await expect(server.kiln().files.upload(source)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(server.received.map(({ path }) => path)).toStrictEqual(['/v1/upload', '/v1/uploads', '/v1/upload']);
  });
});
