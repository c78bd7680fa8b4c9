// A file gets other content under its external id, by each kind of upload.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { randomUUID } from 'node:crypto';
import { bodyOf, type CreatedFile, type KilnClient } from './support/kiln-client.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const FORMER = 'The warranty of the Boreas pump is six years.';
const NEW = 'The guarantee of the Notus pump is nine years.';

describe('an upload with on_conflict=replace', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  beforeAll(async () => {
    system = await systemUnderTest();
    client = system.client;
  });
  afterAll(() => system.stop());

  const completed = async (file: CreatedFile) => {
    expect((await client.waitForJob(file.job_id)).status).toBe('completed');
    return file;
  };
  async function former() {
    const [space, externalId] = [`replace-${randomUUID()}`, randomUUID()];
    const fields = { space, external_id: externalId, metadata: JSON.stringify({ year: '2025' }) };
    const file = await completed(bodyOf(await client.upload('pump.md', FORMER, fields), 201));
    return { file, space, replacing: { external_id: externalId, on_conflict: 'replace' } };
  }
  const found = async (query: string, space: string) =>
    (await client.search(query, { space })).results.map(({ file_id: id }) => id);
  async function expectReplaced(created: CreatedFile, { file, space }: Awaited<ReturnType<typeof former>>) {
    expect(created.id).toBe(file.id);
    expect(created.job_id).not.toBe(file.job_id);
    await completed(created);
    const about = { id: file.id, space, status: 'completed', job_id: created.job_id, metadata: { year: '2025' } };
    expect(bodyOf(await client.get(`/v1/files/${file.id}`), 200)).toMatchObject({ ...about, filename: 'new.md' });
    expect(await client.markdown(file.id)).toContain('Notus');
    await eventually(async () => expect(await found('Boreas', space)).toStrictEqual([]));
    expect(await found('Notus', space)).toStrictEqual([file.id]);
  }

  it('keeps the id, space and metadata of the file, and nothing of its former content is found', async () => {
    const before = await former();
    const created = bodyOf(await client.upload('new.md', NEW, before.replacing), 201);
    await expectReplaced(created, before);
  });

  it('does the same with a text, once for an Idempotency-Key', async () => {
    const before = await former();
    const request = { json: { filename: 'new.md', content: NEW, ...before.replacing } };
    const headers = { 'idempotency-key': randomUUID() };
    const create = () => client.request<CreatedFile>('POST', '/v1/files', { ...request, headers });
    const created = bodyOf(await create(), 201);
    expect(bodyOf(await create(), 201)).toStrictEqual(created);
    await expectReplaced(created, before);
  });

  it('by a signed URL leaves the file as it is until the bytes have arrived', async () => {
    const before = await former();
    const created = bodyOf(
      await client.post<CreatedFile>('/v1/files', { filename: 'new.md', ...before.replacing }),
      201,
    );
    expect([created.id, created.status]).toStrictEqual([before.file.id, 'uploading']);
    expect(await client.markdown(before.file.id)).toContain('Boreas');
    expect((await fetch(created.upload_url, { method: 'PUT', body: NEW })).status).toBe(200);
    await expectReplaced(created, before);
  });

  it('in parts does the same', async () => {
    const before = await former();
    const fields = { filename: 'new.md', size_bytes: Buffer.byteLength(NEW), ...before.replacing };
    const upload = bodyOf(await client.post<{ id: string; file_id: string }>('/v1/uploads', fields), 201);
    expect(upload.file_id).toBe(before.file.id);
    const signed = await client.post<{ parts: { url: string; headers: Record<string, string> }[] }>(
      `/v1/uploads/${upload.id}/parts`,
      { part_numbers: [1] },
    );
    const [part] = bodyOf(signed, 200).parts;
    expect((await fetch(part?.url ?? '', { method: 'PUT', headers: part?.headers ?? {}, body: NEW })).status).toBe(200);
    const completion = await client.post<CreatedFile>(`/v1/uploads/${upload.id}/complete`, {});
    await expectReplaced(bodyOf(completion, 200), before);
  });

  it('without an external id is 400, and with one that is free it creates the file', async () => {
    const refused = await client.upload('new.md', NEW, { on_conflict: 'replace' });
    expect([refused.status, JSON.stringify(refused.body)]).toStrictEqual([400, expect.stringContaining('external_id')]);
    const unknown = await client.upload('new.md', NEW, { on_conflict: 'overwrite', external_id: 'a' });
    expect(unknown.status).toBe(400);
    const created = await client.upload('new.md', NEW, { on_conflict: 'replace', external_id: randomUUID() });
    await completed(bodyOf(created, 201));
  });

  it('of the default, fail, is 409 and names the file', async () => {
    const { file, replacing } = await former();
    const refused = await client.upload('new.md', NEW, { external_id: replacing.external_id, on_conflict: 'fail' });
    expect([refused.status, JSON.stringify(refused.body)]).toStrictEqual([409, expect.stringContaining(file.id)]);
  });
});
