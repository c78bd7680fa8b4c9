// Uploads in parts over connections that break, as callers and the TypeScript SDK see them.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { Kiln } from '@kiln/sdk';
import { createHash } from 'node:crypto';
import { sendHalf, startCuttingProxy, type CuttingProxy } from './support/cut-connections.js';
import { bodyOf, KilnClient, type CreatedFile } from './support/kiln-client.js';
import { newSpace, until } from './support/stored-files.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

interface Upload extends CreatedFile {
  part_bytes: number;
  part_count: number;
  expires_at: string;
}
interface State extends Upload {
  parts: { part_number: number; size_bytes: number; etag: string | null }[];
  next_cursor: string | null;
}
interface SignedPart {
  part_number: number;
  size_bytes: number;
  url: string;
  headers: Record<string, string>;
}
type Fault = { error: string; code: string };

const PART_BYTES = 5 * 1024 * 1024;
/** Two parts and a few bytes of a third. */
const BYTES = Buffer.from('The warranty is ten years.\n'.repeat(400_000)).subarray(0, 2 * PART_BYTES + 12);
const SHA256 = createHash('sha256').update(BYTES).digest('hex');
const FIELDS = { filename: 'warranty.txt', size_bytes: BYTES.length, part_bytes: PART_BYTES };
const bytesOf = (number: number) => BYTES.subarray((number - 1) * PART_BYTES, number * PART_BYTES);

describe('an upload in parts', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  let proxy: CuttingProxy;
  beforeAll(async () => {
    system = await systemUnderTest();
    client = system.client;
    proxy = await startCuttingProxy(client.baseUrl);
  });
  afterAll(async () => {
    await proxy.close();
    await system.stop();
  });

  const begin = async (fields: object = { skip_processing: true }) =>
    bodyOf(await client.post<Upload>('/v1/uploads', { ...FIELDS, space: newSpace(), ...fields }), 201);
  const sign = async (id: string, ...numbers: number[]) => {
    const signed = await client.post<{ parts: SignedPart[] }>(`/v1/uploads/${id}/parts`, { part_numbers: numbers });
    return bodyOf(signed, 200).parts;
  };
  const put = async ({ url, headers }: SignedPart, body: Buffer) => {
    const response = await fetch(url, { method: 'PUT', headers, body: Buffer.from(body) });
    await response.arrayBuffer();
    return response.status;
  };
  const send = async (id: string, ...numbers: number[]) => {
    for (const part of await sign(id, ...numbers)) expect(await put(part, bytesOf(part.part_number))).toBe(200);
  };
  const state = async (id: string, query = '') => bodyOf(await client.get<State>(`/v1/uploads/${id}${query}`), 200);
  const complete = (id: string, body: object = {}) => client.post<Upload & Fault>(`/v1/uploads/${id}/complete`, body);
  const fileOf = async (id: string) => (await client.get<CreatedFile>(`/v1/files/${id}`)).body;

  it('arrives whole although connections break in the middle of parts and the response of its completion is lost', async () => {
    const upload = await begin({ variants: ['markdown'] });
    const { id, status, part_count: count } = upload;
    expect([status, count, upload.part_bytes]).toStrictEqual(['uploading', 3, PART_BYTES]);
    for (const part of await sign(id, 1, 2, 3)) {
      await sendHalf(part.url, part.headers, part.size_bytes);
      expect(await put(part, bytesOf(part.part_number))).toBe(200);
    }
    proxy.cutNextResponse();
    const path = `${proxy.url}/v1/uploads/${id}/complete`;
    const headers = { authorization: `ApiKey ${client.apiKey}` };
    await expect(fetch(path, { method: 'POST', headers })).rejects.toThrow();
    const completed = bodyOf(await complete(id), 200);
    expect([completed.id, completed.size_bytes]).toStrictEqual([id, BYTES.length]);
    expect((await client.waitForJob(upload.job_id)).status).toBe('completed');
    expect((await fileOf(id)).sha256).toBe(SHA256);
  });

  it('lists the parts that are stored, in pages, and resumes with the others', async () => {
    const { id } = await begin();
    await send(id, 3, 1);
    const first = await state(id, '?limit=1');
    expect(first.parts).toMatchObject([{ part_number: 1, size_bytes: PART_BYTES }]);
    const rest = await state(id, `?limit=1&cursor=${first.next_cursor}`);
    expect([rest.parts.map(({ part_number }) => part_number), rest.next_cursor]).toStrictEqual([[3], null]);
    const early = bodyOf(await complete(id), 409) as Fault;
    expect([early.code, early.error]).toStrictEqual(['CONFLICT', expect.stringMatching(/^Part 2 is missing/)]);
    await send(id, 2);
    const { parts } = await state(id);
    const completed = bodyOf(
      await complete(id, { parts: parts.map(({ part_number, etag }) => ({ part_number, etag })) }),
      200,
    );
    expect(completed.status).toBe('uploaded');
    const { url } = bodyOf(await client.get<{ url: string }>(`/v1/files/${id}/download`), 200);
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(SHA256);
  });

  it('that is aborted leaves neither a file nor a place for parts', async () => {
    const { id } = await begin();
    const [part] = await sign(id, 3);
    if (!part) throw new Error('no part');
    expect(await put(part, bytesOf(3))).toBe(200);
    expect(bodyOf(await client.request('DELETE', `/v1/uploads/${id}`), 200)).toStrictEqual({ deleted: true });
    for (const path of [`/v1/uploads/${id}`, `/v1/files/${id}`]) expect((await client.get(path)).status).toBe(404);
    expect(
      await until(
        () => put(part, bytesOf(3)),
        (status) => status !== 200,
      ),
    ).toBe(404);
  });

  it('is of no other tenant and of no other mode', async () => {
    const { id } = await begin();
    const key = bodyOf(await client.post<{ key: string }>('/v1/org/api-keys', { name: 'test', mode: 'test' }), 201);
    for (const other of [await KilnClient.of(client.baseUrl, key.key), await system.newClient()]) {
      expect((await other.get(`/v1/uploads/${id}`)).status).toBe(404);
      expect((await other.post(`/v1/uploads/${id}/parts`, { part_numbers: [1] })).status).toBe(404);
      expect((await other.post(`/v1/uploads/${id}/complete`, {})).status).toBe(404);
      expect((await other.request('DELETE', `/v1/uploads/${id}`)).status).toBe(404);
      expect((await other.post('/v1/uploads', FIELDS)).status).toBe(201);
    }
  });

  it('that cannot work is refused, with the reason', async () => {
    const wrong: [reason: string, fields: object][] = [
      ['size_bytes', { size_bytes: undefined }],
      ['size_bytes', { size_bytes: 0 }],
      ['part_bytes', { part_bytes: PART_BYTES - 1 }],
      ['part_bytes', { size_bytes: PART_BYTES * 800, part_bytes: 2 ** 31 }],
      ['filename', { filename: '../a' }],
    ];
    for (const [reason, fields] of wrong) {
      const refused = await client.post<Fault>('/v1/uploads', { ...FIELDS, ...fields });
      expect(bodyOf(refused, 400).error).toContain(reason);
    }
    expect((await client.post('/v1/uploads', { ...FIELDS, size_bytes: 2 ** 50 })).status).toBe(413);
    const { id } = await begin();
    for (const numbers of [[], [0], [4], Array.from({ length: 101 }, () => 1)])
      expect((await client.post(`/v1/uploads/${id}/parts`, { part_numbers: numbers })).status).toBe(400);
  });

  describe('by the SDK', () => {
    const sdk = (options: { fetch?: typeof fetch } = {}) =>
      new Kiln({ baseUrl: proxy.url, apiKey: client.apiKey, maxRetries: 1, ...options });
    const fields = { filename: 'warranty.txt', skip_processing: true };
    const options = { partBytes: PART_BYTES };
    const storedBytes = async (id: string) =>
      Buffer.from(await (await fetch((await sdk().files.download(id)).url)).arrayBuffer());

    it('is resumed after the process has ended, and sends only what is missing', async () => {
      const ids: string[] = [];
      const dying: typeof fetch = async (input, init) => {
        const isSecond =
          init?.method === 'PUT' && new URL(new Request(input).url).searchParams.get('partNumber') === '2';
        if (!isSecond) return fetch(input, init);
        await sendHalf(new Request(input).url, init.headers as Record<string, string>, PART_BYTES);
        await eventually(async () => expect((await state(ids[0] ?? '')).parts).toHaveLength(2));
        throw new TypeError('fetch failed');
      };
      const onBegin = ({ id }: { id: string }) => ids.push(id);
      const died = sdk({ fetch: dying }).uploads.upload(new Blob([BYTES]), fields, { ...options, onBegin });
      await expect(died).rejects.toMatchObject({ code: 'CONNECTION' });
      const sent: string[] = [];
      const counting: typeof fetch = (input, init) => {
        if (init?.method === 'PUT') sent.push(new URL(new Request(input).url).searchParams.get('partNumber') ?? '');
        return fetch(input, init);
      };
      const file = await sdk({ fetch: counting }).uploads.resume(ids[0] ?? '', new Blob([BYTES]));
      expect([file.id, sent]).toStrictEqual([ids[0], ['2']]);
      expect((await storedBytes(file.id)).equals(BYTES)).toBe(true);
    });

    it('is one file although the response of its beginning is lost', async () => {
      const space = newSpace();
      proxy.cutNextResponse();
      const file = await sdk().uploads.upload(new Blob([BYTES]), { ...fields, space }, options);
      const { files } = await sdk().files.list({ space });
      expect(files.map(({ id, size_bytes }) => [id, size_bytes])).toStrictEqual([[file.id, BYTES.length]]);
    });
  });
});
