import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hangUp, json, problem, startTestServer, type Behaviour, type TestServer } from '../fixtures/test-server.js';
import { fromPath, uploadFolder } from './index.js';

let server: TestServer;
let folder: string;
beforeEach(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'kiln-sdk-'));
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const stored: Behaviour = (response) => void response.writeHead(200).end();

describe('a path', () => {
  it('is uploaded with name and length, and read again for another attempt', async () => {
    const path = join(folder, 'a.txt');
    const text = 'a'.repeat(1024 * 1024 + 1);
    await writeFile(path, text);
    const registered = json(201, { id: 'file_1', upload_url: `${server.url}/put`, upload_headers: {} });
    server.script(registered, hangUp, stored);
    expect(await server.kiln().files.upload(await fromPath(path))).toMatchObject({ id: 'file_1' });
    const [registration, first, second] = server.received;
    expect(JSON.parse(registration?.body ?? '')).toStrictEqual({ filename: 'a.txt', size_bytes: text.length });
    expect([first?.body, second?.body]).toStrictEqual([text, text]);
    expect(second?.headers['content-length']).toBe(String(text.length));
  });

  it('that is no file is refused', async () => {
    await expect(fromPath(folder)).rejects.toThrow('is not a file');
    await expect(fromPath(join(folder, 'missing'))).rejects.toThrow('ENOENT');
  });
});

describe('a folder', () => {
  interface Registration {
    files: { filename: string; metadata: { path: string } }[];
  }
  const register: Behaviour = (response, received, request) => {
    if (received.method === 'PUT') return stored(response, received, request);
    const { files } = JSON.parse(received.body) as Registration;
    const answers = files.map((_file, index) => ({
      index,
      id: `file_${index}`,
      upload_url: `${server.url}/put/${index}`,
      upload_headers: {},
    }));
    json(201, { batch_id: `batch_${server.received.length}`, files: answers })(response, received, request);
  };
  const registrations = () =>
    server.received
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => (JSON.parse(body) as Registration).files);

  it('is uploaded with the folders in it, in batches of 50; its paths are metadata', async () => {
    await mkdir(join(folder, 'inner/deep'), { recursive: true });
    for (let at = 0; at < 51; at += 1) await writeFile(join(folder, `${at}.txt`), String(at));
    await writeFile(join(folder, 'inner/deep/z.txt'), 'z');
    await writeFile(join(folder, 'inner/skip.log'), 'log');
    await symlink(folder, join(folder, 'loop'));
    server.script(register);
    const done: number[] = [];
    const { batchIds, files } = await uploadFolder(server.kiln(), folder, {
      filter: (path) => path.endsWith('.txt'),
      onProgress: (progress) => done.push(progress.files),
    });
    expect([batchIds.length, files.length, done]).toStrictEqual([2, 52, [50, 52]]);
    expect(registrations().map(({ length }) => length)).toStrictEqual([50, 2]);
    expect(registrations()[1]?.at(-1)).toStrictEqual({
      filename: 'z.txt',
      metadata: { path: 'inner/deep/z.txt' },
      size_bytes: 1,
    });
    expect(files.at(-1)).toMatchObject({ path: 'inner/deep/z.txt', file: { id: 'file_1' } });
    expect(server.received.filter(({ method }) => method === 'PUT')).toHaveLength(52);
  });

  it('whose batch cannot be registered has an error for each file of it, and the next batch is uploaded', async () => {
    for (let at = 0; at < 51; at += 1) await writeFile(join(folder, `${at}.txt`), String(at));
    server.script(problem(400, 'BAD_REQUEST'), register);
    const { batchIds, files } = await uploadFolder(server.kiln(), folder);
    expect(batchIds).toHaveLength(1);
    expect(files.map(({ error }) => error?.code)).toStrictEqual([
      ...Array.from({ length: 50 }, () => 'BAD_REQUEST'),
      undefined,
    ]);
  });

  it('with a file that is gone has an error for it', async () => {
    await writeFile(join(folder, 'a.txt'), 'a');
    await writeFile(join(folder, 'b.txt'), 'b');
    server.script(register);
    const filter = (path: string) => {
      if (path === 'a.txt') rmSync(join(folder, path));
      return true;
    };
    const { files } = await uploadFolder(server.kiln(), folder, { filter });
    expect(files.map(({ path, error }) => [path, error?.code])).toStrictEqual([
      ['a.txt', 'UNREADABLE'],
      ['b.txt', undefined],
    ]);
  });

  it('without files sends nothing', async () => {
    expect(await uploadFolder(server.kiln(), folder)).toStrictEqual({ batchIds: [], files: [] });
    expect(server.received).toStrictEqual([]);
  });
});
