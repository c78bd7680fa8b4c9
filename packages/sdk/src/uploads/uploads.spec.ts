import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  hangUp,
  json,
  problem,
  startTestServer,
  type Behaviour,
  type Received,
  type TestServer,
} from '../fixtures/test-server.js';
import type { UploadProgress } from './upload-options.js';

const NOW = { 'retry-after': '0' };
const SMALL = new TextEncoder().encode('some bytes');
const SMALL_BYTES_MAX = 1024 * 1024;
const BYTES = new Uint8Array(SMALL_BYTES_MAX + 1).fill(97);
const TEXT = 'a'.repeat(BYTES.length);

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const signed = (path = '/put') => ({
  id: 'file_1',
  status: 'uploading',
  job_id: 'job_1',
  upload_url: `${server.url}${path}?signature=secret`,
  upload_headers: { 'content-type': 'text/plain' },
});
const registered: Behaviour = (...args) => json(201, signed())(...args);
const stored: Behaviour = (response) => void response.writeHead(200).end();
const puts = () => server.received.filter(({ method }) => method === 'PUT');

/** A source that counts how often it is opened. */
const countedSource = (bytes: Uint8Array<ArrayBuffer>) => {
  const source = {
    filename: 'counted.txt',
    sizeBytes: bytes.length,
    opened: 0,
    open: () => {
      source.opened += 1;
      return new Blob([bytes]).stream();
    },
  };
  return source;
};

async function* pieces(...texts: string[]) {
  for (const text of texts) yield new TextEncoder().encode(text);
}
const streamOf = (...texts: string[]) => {
  const values = pieces(...texts);
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await values.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
};

describe('an upload of at most 1 MiB', () => {
  const formOf = ({ body, headers }: Received) =>
    new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();

  it('is one keyed request with the fields and the bytes', async () => {
    server.script(json(201, { id: 'file_1', job_id: 'job_1', sha256: 'x' }));
    const fields = { filename: 'a.txt', space: 'legal', metadata: { year: '2020' } };
    expect(await server.kiln().files.upload(SMALL, fields)).toMatchObject({ id: 'file_1', job_id: 'job_1' });
    const [request] = server.received;
    expect(request).toMatchObject({ method: 'POST', path: '/v1/upload' });
    expect(request?.headers['idempotency-key']).toMatch(/./);
    const form = await formOf(request as Received);
    expect([...form.keys()]).toStrictEqual(['filename', 'space', 'metadata', 'file']);
    expect(await (form.get('file') as File).text()).toBe('some bytes');
  });

  it('has the name and the type of a File', async () => {
    server.script(json(201, { id: 'file_1' }));
    await server.kiln().files.upload(new File([SMALL], 'named.md', { type: 'text/markdown' }));
    const file = (await formOf(server.received[0] as Received)).get('file') as File;
    expect([file.name, file.type]).toStrictEqual(['named.md', 'text/markdown']);
  });

  it('is repeated with the same key and the same bytes after a lost connection', async () => {
    server.script(hangUp, problem(503, 'UNAVAILABLE', NOW), json(201, { id: 'file_1' }));
    const source = countedSource(SMALL);
    const seen: UploadProgress[] = [];
    await server.kiln().files.upload(source, {}, { onProgress: (progress) => seen.push(progress) });
    const sent = server.received.map(({ headers, body }) => [headers['idempotency-key'], body]);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(String)).size).toBe(1);
    expect(source.opened).toBe(1);
    expect(seen).toStrictEqual([{ sentBytes: 10, totalBytes: 10 }]);
  });

  it('is repeated with the key that the caller gives', async () => {
    server.script(json(201, { id: 'file_1' }));
    await server.kiln().files.upload(SMALL, { filename: 'a' }, { idempotencyKey: 'mine' });
    expect(server.received[0]?.headers['idempotency-key']).toBe('mine');
  });
});

describe('an upload of more than 1 MiB', () => {
  it('registers the file with its length, and sends the bytes with the signed headers', async () => {
    server.script(registered, stored);
    const file = await server.kiln().files.upload(BYTES, { filename: 'a.txt', space: 'legal' });
    expect(file).toMatchObject({ id: 'file_1', job_id: 'job_1' });
    expect(JSON.stringify(file)).not.toMatch(/signature/);
    const [registration, put] = server.received;
    const fields = { filename: 'a.txt', space: 'legal', size_bytes: BYTES.length };
    expect(JSON.parse(registration?.body ?? '')).toStrictEqual(fields);
    expect(put).toMatchObject({ path: '/put?signature=secret', body: TEXT });
    expect(put?.headers).toMatchObject({ 'content-type': 'text/plain', 'content-length': String(BYTES.length) });
    expect(put?.headers.authorization).toBeUndefined();
  });

  it('takes name and type from a File', async () => {
    server.script(registered, stored);
    await server.kiln().files.upload(new File([BYTES], 'named.md', { type: 'text/markdown' }));
    const { filename, content_type } = JSON.parse(server.received[0]?.body ?? '') as Record<string, unknown>;
    expect([filename, content_type]).toStrictEqual(['named.md', 'text/markdown']);
  });

  it('without a name is refused before a request', async () => {
    await expect(server.kiln().files.upload(BYTES)).rejects.toThrow('give the field filename');
    expect(server.received).toStrictEqual([]);
  });

  it('opens the source again for each attempt, registers once, and sends the whole bytes', async () => {
    server.script(registered, hangUp, problem(503, 'SlowDown', NOW), stored);
    const source = countedSource(BYTES);
    await server.kiln().files.upload(source);
    expect(source.opened).toBe(3);
    expect(server.received).toHaveLength(4);
    expect(puts().at(-1)).toMatchObject({ body: TEXT });
    expect(puts().at(-1)?.headers).toMatchObject({ 'content-length': String(BYTES.length) });
  });

  it('reports its progress', async () => {
    server.script(registered, stored);
    const seen: UploadProgress[] = [];
    await server.kiln().files.upload(BYTES, { filename: 'a' }, { onProgress: (progress) => seen.push(progress) });
    expect(seen).toStrictEqual([{ sentBytes: BYTES.length, totalBytes: BYTES.length }]);
    expect(puts()[0]?.headers['content-length']).toBe(String(BYTES.length));
  });

  it('that the store refuses fails with UPLOAD_REFUSED, and shows no signature', async () => {
    server.script(registered, (response) => void response.writeHead(403).end('<Error>secret</Error>'));
    const failure = await server
      .kiln()
      .files.upload(BYTES, { filename: 'a' })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'UPLOAD_REFUSED',
      status: 403,
      message: expect.not.stringMatching(/secret/),
    });
  });

  it('ends with its signal', async () => {
    const controller = new AbortController();
    const reason = new Error('the caller has left');
    server.script(registered, () => controller.abort(reason));
    const upload = server.kiln().files.upload(BYTES, { filename: 'a' }, { signal: controller.signal });
    await expect(upload).rejects.toBe(reason);
  });
});

describe('an upload of a large blob through Kiln', () => {
  it('is one keyed request, which is repeated after a lost connection', async () => {
    server.script(hangUp, json(201, { id: 'file_1' }));
    const options = { throughKiln: true, idempotencyKey: 'key-1' };
    const file = new File([BYTES], 'large.txt', { type: 'text/plain' });
    expect(await server.kiln().files.upload(file, { space: 'legal' }, options)).toMatchObject({ id: 'file_1' });
    const keys = server.received.map(({ path, headers }) => [path, headers['idempotency-key']]);
    expect(keys).toStrictEqual([
      ['/v1/upload', 'key-1'],
      ['/v1/upload', 'key-1'],
    ]);
    const [, { body, headers } = { body: '', headers: {} }] = server.received;
    const form = await new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
    const sent = form.get('file') as File;
    expect([sent.name, sent.type, await sent.text()]).toStrictEqual(['large.txt', 'text/plain', TEXT]);
    expect(form.get('space')).toBe('legal');
  });
});

describe('an upload of a stream', () => {
  it('is sent through the gateway as one multipart request, fields first', async () => {
    server.script(json(201, { id: 'file_1', sha256: 'x' }));
    const fields = { filename: 'a"b.txt', metadata: { year: '2020' }, skip_processing: true, space: undefined };
    const seen: UploadProgress[] = [];
    const options = { onProgress: (progress: UploadProgress) => seen.push(progress) };
    expect(await server.kiln().files.upload(streamOf('one ', 'two'), fields, options)).toMatchObject({ id: 'file_1' });
    const [{ path, body, headers } = { path: '', body: '', headers: {} }] = server.received;
    expect(path).toBe('/v1/upload');
    const form = await new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
    const file = form.get('file') as File;
    expect([file.name, file.type, await file.text()]).toStrictEqual(['a"b.txt', 'application/octet-stream', 'one two']);
    expect([...form.keys()]).toStrictEqual(['filename', 'metadata', 'skip_processing', 'file']);
    expect([form.get('metadata'), form.get('skip_processing')]).toStrictEqual(['{"year":"2020"}', 'true']);
    expect(seen.at(-1)).toStrictEqual({ sentBytes: 7, totalBytes: null });
  });

  it('is never sent again', async () => {
    server.script(hangUp);
    const upload = server.kiln().files.upload(streamOf('one'), { filename: 'a' });
    await expect(upload).rejects.toMatchObject({ code: 'CONNECTION' });
    expect(server.received).toHaveLength(1);
  });
});

describe('an upload of a URL', () => {
  it('is downloaded and sent with its name and type', async () => {
    const page: Behaviour = (response) =>
      void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<p>');
    server.script(page, json(201, { id: 'file_1' }));
    await server.kiln().files.upload(new URL(`${server.url}/pages/annual%20report.html?x=1`));
    const [download, upload] = server.received;
    expect(download?.headers.authorization).toBeUndefined();
    expect(upload?.body).toMatch(/filename="annual report.html"\r\nContent-Type: text\/html\r\n\r\n<p>/);
  });

  it('has the name as it stands if its percent signs encode nothing', async () => {
    server.script(stored, json(201, { id: 'file_1' }));
    await server.kiln().files.upload(new URL(`${server.url}/100%.txt`));
    expect(server.received[1]?.body).toMatch(/filename="100%.txt"/);
  });

  it('that is refused fails with its status', async () => {
    server.script((response) => void response.writeHead(404).end());
    const upload = server.kiln().files.upload(new URL(`${server.url}/a.pdf`));
    await expect(upload).rejects.toMatchObject({ status: 404, message: 'The download was refused.' });
  });
});

describe('a batch', () => {
  it('is registered once; a file that fails has its error, and does not end the others', async () => {
    const answers: Record<string, Behaviour> = {
      '/one': stored,
      '/two': (response) => void response.writeHead(403).end(),
      '/three': stored,
    };
    const files = [
      { ...signed('/one'), id: 'file_1', index: 0 },
      { index: 1, error: { code: 'BAD_REQUEST', message: 'filename' } },
      { ...signed('/two'), id: 'file_2', index: 2 },
      { ...signed('/three'), id: 'file_3', index: 3 },
    ];
    server.script(json(201, { batch_id: 'batch_1', files }), (response, received, request) =>
      answers[received.path.split('?')[0] ?? '']?.(response, received, request),
    );
    const entries = ['1', 'a/b', '2', '3'].map((filename) => ({ filename, source: new Blob([filename]) }));
    let sent = 0;
    const result = await server.kiln().batches.upload(entries, { onProgress: ({ sentBytes }) => (sent = sentBytes) });
    expect(result.batch_id).toBe('batch_1');
    expect(result.files.map(({ file, error }) => file?.id ?? error?.code)).toStrictEqual([
      'file_1',
      'BAD_REQUEST',
      'UPLOAD_REFUSED',
      'file_3',
    ]);
    expect(
      puts()
        .map(({ body }) => body)
        .sort(),
    ).toStrictEqual(['1', '2', '3']);
    expect(sent).toBe(3);
  });
});
