// Deletion over HTTP: deleted data disappears everywhere, including its bytes.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { bodyOf, type KilnClient } from './support/kiln-client.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

describe('deleting', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  beforeAll(async () => {
    system = await systemUnderTest();
    client = await system.newClient();
  });
  afterAll(() => system.stop());

  /** A completed file that contains `word`, and the signed URLs to its bytes. */
  async function completed(word: string, space: string) {
    const { body } = await client.upload(`${word}.md`, `# Notes\n\nThe ${word} is here.`, { space });
    expect((await client.waitForJob(body.job_id)).status).toBe('completed');
    const path = `/v1/files/${body.id}`;
    const download = await client.get<{ url: string }>(`${path}/download`);
    const variant = await client.get<{ content_url: string }>(`${path}/variants/markdown`);
    expect((await client.search(word, { space })).total).toBe(1);
    return { id: body.id, jobId: body.job_id, path, urls: [download.body.url, variant.body.content_url] };
  }
  type Completed = Awaited<ReturnType<typeof completed>>;

  const statusOf = async (path: string) => (await client.get(path)).status;
  const idsIn = async (query = '') =>
    (await client.get<{ files: { id: string }[] }>(`/v1/files${query}`)).body.files.map(({ id }) => id);
  const spaceNames = async () =>
    (await client.get<{ spaces: { space: string }[] }>('/v1/spaces')).body.spaces.map(({ space }) => space);

  async function isUnseen({ id, path }: Completed): Promise<void> {
    for (const suffix of ['', '/variants', '/variants/markdown', '/download']) {
      bodyOf(await client.get(path + suffix), 404);
    }
    expect(await idsIn()).not.toContain(id);
    expect((await client.request('DELETE', path)).status).toBe(404);
  }
  const losesItsJob = ({ jobId }: Completed) =>
    eventually(async () => expect(await statusOf(`/v1/jobs/${jobId}`)).toBe(404));
  const losesItsBytes = ({ urls }: Completed) =>
    eventually(async () => {
      for (const url of urls) expect((await fetch(url)).status).toBe(404);
    });

  it('a file removes it from search, get, list and variants at once, then from jobs and storage; a repeat is 404', async () => {
    const file = await completed('kingfisher', 'single');
    const answer = await client.request('DELETE', file.path);
    expect([answer.status, answer.body]).toStrictEqual([200, { deleted: true }]);
    expect(await client.search('kingfisher')).toMatchObject({ results: [], total: 0 });
    await isUnseen(file);
    await losesItsJob(file);
    await losesItsBytes(file);
    // The space remains.
    expect(await spaceNames()).toContain('single');
  });

  it('many files returns the number of deleted ones, and the reason for each other one', async () => {
    const files = [await completed('heron', 'many'), await completed('bittern', 'many')];
    const file_ids = [...files.map(({ id }) => id), 'nonsense'];
    const { status, body } = await client.request<{ deleted: number; errors: { file_id: string; code: string }[] }>(
      'DELETE',
      '/v1/files',
      { json: { file_ids } },
    );
    expect(status).toBe(200);
    expect(body.deleted).toBe(2);
    expect(body.errors.map(({ file_id, code }) => [file_id, code])).toStrictEqual([['nonsense', 'NOT_FOUND']]);
    for (const file of files) await isUnseen(file);
    for (const json of [
      {},
      { file_ids: [] },
      { file_ids: Array.from({ length: 101 }, () => 'x') },
      { file_ids: [1] },
    ]) {
      expect((await client.request('DELETE', '/v1/files', { json })).status).toBe(400);
    }
  });

  it('a space with files requires cascade, deletes all of them, and a new file creates the space again', async () => {
    const [first, second] = [await completed('plover', 'marsh'), await completed('lapwing', 'marsh')];
    expect((await client.request('DELETE', '/v1/spaces/marsh')).status).toBe(409);
    expect((await client.request('DELETE', '/v1/spaces/marsh?cascade=yes')).status).toBe(400);
    const { status, body } = await client.request('DELETE', '/v1/spaces/marsh?cascade=true');
    expect([status, body]).toStrictEqual([200, { deleted: true, files_deleted: 2 }]);
    for (const word of ['plover', 'lapwing']) {
      expect(await client.search(word, { space: 'marsh' })).toMatchObject({ results: [], total: 0 });
    }
    for (const file of [first, second]) await isUnseen(file);
    expect(await idsIn('?space=marsh')).toStrictEqual([]);
    expect(await statusOf('/v1/spaces/marsh/stats')).toBe(404);
    expect(await spaceNames()).not.toContain('marsh');
    expect((await client.request('DELETE', '/v1/spaces/marsh?cascade=true')).status).toBe(404);

    const later = await completed('curlew', 'marsh');
    for (const file of [first, second]) await losesItsJob(file);
    for (const file of [first, second]) await losesItsBytes(file);
    expect(await idsIn('?space=marsh')).toStrictEqual([later.id]);
    expect((await client.search('curlew', { space: 'marsh' })).total).toBe(1);
  });
});
