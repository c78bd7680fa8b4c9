// Deleting, over HTTP alone: what was deleted is gone from every place where it could be seen, its bytes included, also when
// storage was down at that moment. The suite launches a system of its own, since it stops its storage.
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from './support/eventually.js';
import { KilnClient } from './support/kiln-client.js';

const BYTES_GONE_MS = 90_000;

describe('deleting', () => {
  let system: RunningSystem;
  let client: KilnClient;
  before(async () => {
    system = await startSystem();
    client = await KilnClient.of(system.baseUrl, system.apiKey);
  });
  after(() => system.stop());

  /** A completed file that holds `word`, and the signed URLs to its bytes. */
  async function completed(word: string, space: string) {
    const { body } = await client.upload(`${word}.md`, `# Notes\n\nThe ${word} is here.`, { space });
    assert.equal((await client.waitForJob(body.job_id)).status, 'completed');
    const path = `/v1/files/${body.id}`;
    const download = await client.get<{ url: string }>(`${path}/download`);
    const variant = await client.get<{ content_url: string }>(`${path}/variants/markdown`);
    assert.equal((await client.search(word, { space })).total, 1);
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
      assert.equal(await statusOf(path + suffix), 404, suffix);
    }
    assert.ok(!(await idsIn()).includes(id));
    assert.equal((await client.request('DELETE', path)).status, 404);
  }
  const leavesTheRest = ({ jobId }: Completed, word: string, space: string) =>
    eventually(
      async () => {
        assert.equal(await statusOf(`/v1/jobs/${jobId}`), 404);
        assert.equal((await client.search(word, { space })).total, 0);
      },
      { timeoutMs: 15_000 },
    );
  const losesItsBytes = ({ urls }: Completed) =>
    eventually(
      async () => {
        for (const url of urls) assert.equal((await fetch(url)).status, 404);
      },
      { timeoutMs: BYTES_GONE_MS },
    );

  it('a file removes it from get, list, variants, jobs, search and storage; a second time it is 404', async () => {
    const file = await completed('kingfisher', 'single');
    const answer = await client.request('DELETE', file.path);
    assert.deepEqual([answer.status, answer.body], [200, { deleted: true }]);
    await isUnseen(file);
    await leavesTheRest(file, 'kingfisher', 'single');
    await losesItsBytes(file);
    assert.ok((await spaceNames()).includes('single'), 'the space stays');
  });

  it('many files tells how many went and why others did not', async () => {
    const files = [await completed('heron', 'many'), await completed('bittern', 'many')];
    const file_ids = [...files.map(({ id }) => id), 'nonsense'];
    const { status, body } = await client.request<{ deleted: number; errors: { file_id: string; code: string }[] }>(
      'DELETE',
      '/v1/files',
      { json: { file_ids } },
    );
    assert.equal(status, 200);
    assert.equal(body.deleted, 2);
    assert.deepEqual(
      body.errors.map(({ file_id, code }) => [file_id, code]),
      [['nonsense', 'NOT_FOUND']],
    );
    for (const file of files) await isUnseen(file);
    for (const json of [
      {},
      { file_ids: [] },
      { file_ids: Array.from({ length: 101 }, () => 'x') },
      { file_ids: [1] },
    ]) {
      assert.equal((await client.request('DELETE', '/v1/files', { json })).status, 400);
    }
  });

  it('a space needs cascade when it has files, then takes all of them, and a new file makes it anew', async () => {
    const [first, second] = [await completed('plover', 'marsh'), await completed('lapwing', 'marsh')];
    assert.equal((await client.request('DELETE', '/v1/spaces/marsh')).status, 409);
    assert.equal((await client.request('DELETE', '/v1/spaces/marsh?cascade=yes')).status, 400);
    const { status, body } = await client.request('DELETE', '/v1/spaces/marsh?cascade=true');
    assert.deepEqual([status, body], [200, { deleted: true, files_deleted: 2 }]);
    for (const file of [first, second]) await isUnseen(file);
    assert.deepEqual(await idsIn('?space=marsh'), []);
    assert.equal(await statusOf('/v1/spaces/marsh/stats'), 404);
    assert.ok(!(await spaceNames()).includes('marsh'));
    assert.equal((await client.request('DELETE', '/v1/spaces/marsh?cascade=true')).status, 404);

    const later = await completed('curlew', 'marsh');
    await leavesTheRest(first, 'plover', 'marsh');
    await leavesTheRest(second, 'lapwing', 'marsh');
    for (const file of [first, second]) await losesItsBytes(file);
    assert.deepEqual(await idsIn('?space=marsh'), [later.id]);
    assert.equal((await client.search('curlew', { space: 'marsh' })).total, 1);
  });

  it('while storage is down answers at once, and the bytes go when it is back', async () => {
    const file = await completed('avocet', 'outage');
    const { pid } = system.runJson().object_store;
    assert.ok(pid, 'the object store is run by the launcher');
    process.kill(pid, 'SIGKILL');
    const { status } = await client.request('DELETE', file.path);
    assert.equal(status, 200);
    assert.equal(await statusOf(file.path), 404);
    await eventually(async () => assert.ok((await fetch(file.urls[0] ?? '')).status > 0), { timeoutMs: 30_000 });
    await losesItsBytes(file);
  });
});
