import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PageRequest } from '../fixtures/page-request.js';
import { hangUp, json, startTestServer, type Behaviour, type TestServer } from '../fixtures/test-server.js';
import type { UploadProgress } from './upload-options.js';

/** More than is sent with the registration. */
const TEXT = 'a'.repeat(1024 * 1024 + 1);

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  Object.assign(globalThis, { XMLHttpRequest: PageRequest });
});
afterEach(async () => {
  Reflect.deleteProperty(globalThis, 'XMLHttpRequest');
  await server.close();
});

const registered: Behaviour = (...args) =>
  json(201, { id: 'file_1', upload_url: `${server.url}/put`, upload_headers: { 'content-type': 'text/plain' } })(
    ...args,
  );
const status =
  (code: number): Behaviour =>
  (response) =>
    void response.writeHead(code).end();

describe('an upload of a page that shows its progress', () => {
  const upload = (signal?: AbortSignal) => {
    const seen: UploadProgress[] = [];
    const options = { onProgress: (progress: UploadProgress) => seen.push(progress), signal };
    return { seen, done: server.kiln().files.upload(new Blob([TEXT]), { filename: 'a.txt' }, options) };
  };

  it('is sent by XMLHttpRequest, with the signed headers, and again after a lost connection', async () => {
    server.script(registered, hangUp, status(200));
    const { seen, done } = upload();
    expect(await done).toMatchObject({ id: 'file_1' });
    expect(server.received.map(({ method, body }) => [method, body]).slice(1)).toStrictEqual([
      ['PUT', TEXT],
      ['PUT', TEXT],
    ]);
    expect(server.received[2]?.headers).toMatchObject({
      'content-type': 'text/plain',
      'content-length': String(TEXT.length),
    });
    expect(seen.at(-1)).toStrictEqual({ sentBytes: TEXT.length, totalBytes: TEXT.length });
  });

  it('that is refused fails with UPLOAD_REFUSED', async () => {
    server.script(registered, status(403));
    await expect(upload().done).rejects.toMatchObject({ code: 'UPLOAD_REFUSED', status: 403 });
  });

  it('ends with its signal', async () => {
    const controller = new AbortController();
    const reason = new Error('the user has left');
    server.script(registered, () => controller.abort(reason));
    await expect(upload(controller.signal).done).rejects.toBe(reason);
  });
});
