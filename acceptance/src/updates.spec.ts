// A file is renamed, moved, given other metadata and an external id.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { randomUUID } from 'node:crypto';
import { bodyOf, type KilnClient } from './support/kiln-client.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const TEXT = 'The warranty of the Aquilo pump is six years.';

describe('an update of a file', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  beforeAll(async () => {
    system = await systemUnderTest();
    client = system.client;
  });
  afterAll(() => system.stop());

  const upload = async (fields: Record<string, string>) => {
    const file = bodyOf(await client.upload('pump.md', TEXT, fields), 201);
    expect((await client.waitForJob(file.job_id)).status).toBe('completed');
    return file;
  };
  const patch = (id: string, json: object) => client.request('PATCH', `/v1/files/${id}`, { json });
  const search = async (request: object) => {
    const found = await client.post<{ results: { file_id: string }[] }>('/v1/search', { query: 'Aquilo', ...request });
    return bodyOf(found, 200).results.map(({ file_id: id }) => id);
  };

  it('shows at once in lists, and soon in searches, under the new values alone', async () => {
    const [from, to] = [`from-${randomUUID()}`, `to-${randomUUID()}`];
    const { id, job_id: jobId } = await upload({
      space: from,
      metadata: JSON.stringify({ team: 'old', year: '2024' }),
    });
    const changes = { filename: 'Zirrus.md', space: to, metadata: { team: 'new' }, external_id: to };
    const updated = bodyOf(await patch(id, changes), 200);
    expect(updated).toMatchObject({ ...changes, id, metadata: { team: 'new', year: '2024' }, status: 'completed' });
    const list = await client.get<{ files: { id: string; external_id: string }[] }>(`/v1/files?external_id=${to}`);
    expect(bodyOf(list, 200).files).toMatchObject([{ id, external_id: to, filename: 'Zirrus.md', space: to }]);
    await eventually(async () => expect(await search({ space: to })).toStrictEqual([id]));
    await eventually(async () => expect(await search({ space: from })).toStrictEqual([]));
    expect(await search({ space: to, metadata: { team: 'new' } })).toStrictEqual([id]);
    expect(await search({ space: to, metadata: { team: 'old' } })).toStrictEqual([]);
    expect(await search({ space: to, query: 'zirrus' })).toStrictEqual([id]);
    await eventually(async () => expect(bodyOf(await client.get(`/v1/jobs/${jobId}`), 200)['space']).toBe(to));
  });

  it('with the external id of another file is 409 and names that file; the id of a deleted file is free', async () => {
    const externalId = randomUUID();
    const first = await upload({ external_id: externalId });
    const refused = await client.upload('again.md', TEXT, { external_id: externalId });
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.body)).toContain(first.id);
    const other = await upload({});
    expect((await patch(other.id, { external_id: externalId })).status).toBe(409);
    bodyOf(await client.request('DELETE', `/v1/files/${first.id}`), 200);
    expect(bodyOf(await patch(other.id, { external_id: externalId }), 200)['external_id']).toBe(externalId);
  });

  it.each([
    [{}, 'at least one'],
    [{ filename: 'a/b' }, 'filename'],
    [{ filename: null }, 'filename'],
    [{ space: 'no spaces' }, 'space'],
    [{ external_id: '' }, 'external_id'],
    [{ metadata: { k: 5 } }, 'metadata'],
    [{ size_bytes: 5 }, 'at least one'],
  ])('that is %j is 400', async (changes, words) => {
    const file = await upload({});
    const answer = await patch(file.id, changes);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain(words);
  });

  it('of a file that does not exist is 404', async () => {
    expect((await patch('file_4cTnCH2BZqkcTFbCPGUfhB', { filename: 'a' })).status).toBe(404);
  });
});
