// Real: Postgres, and the embedded object store as the bucket of a customer. Faked: nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeId, MESSAGE_BYTES_MAX } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import { newBucket, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

type Bucket = Awaited<ReturnType<typeof newBucket>>;

describe('nodes', () => {
  let kiln: SyncsHarness;
  let bucket: Bucket;
  let tenantId: string;
  let connectionId: string;
  beforeAll(async () => {
    kiln = await startSyncs();
  });
  beforeEach(async () => {
    bucket = await newBucket();
    tenantId = uuidv7();
    connectionId = await kiln.connect(tenantId, bucket.connection);
  });
  afterAll(() => kiln.close());

  const ofConnection = () => ({ connection_id: encodeId('connection', connectionId) });
  const list = (query: Partial<Parameters<SyncsHarness['manageNodes']['list']>[0]> = {}, tenant = tenantId) =>
    kiln.manageNodes.list({ ...ofConnection(), limit: 50, ...query }, contextOf(tenant));
  async function nodeAt(path: string) {
    const found = (await list({ limit: 200 })).nodes.find((node) => node.path === path);
    if (!found) throw new Error(path);
    return found;
  }

  it('are listed page by page, folders first, each once, even while syncs add and remove nodes', async () => {
    await bucket.put(['a/1.txt', 'a/2.txt', 'b/3.txt', 'b/c/4.txt', '5.txt', '6.txt']);
    await kiln.sync(tenantId, connectionId);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ limit: 2, ...(cursor !== null && { cursor }) });
      seen.push(...page.nodes.map(({ path }) => path));
      cursor = page.next_cursor;
      if (seen.length === 4) {
        await bucket.put(['0-new.txt']);
        await bucket.objects.delete('5.txt');
        await kiln.sync(tenantId, connectionId);
      }
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(0, 3).toSorted()).toStrictEqual(['a/', 'b/', 'b/c/']);
    for (const path of ['a/1.txt', 'a/2.txt', 'b/3.txt', 'b/c/4.txt', '6.txt']) expect(seen).toContain(path);
  });

  it('with keys of the maximum length fill pages that fit into a message, each once', async () => {
    await kiln.sql(
      `insert into nodes (tenant_id, id, connection_id, parent_id, is_file, name, path, size_bytes, etag)
       select $1, gen_random_uuid(), $2, $2, true, key, key, 1, repeat(chr(1), 1000)
       from (select lpad(at::text, 4, '0') || repeat(chr(1), 1996) as key from generate_series(1, 205) at) keys`,
      [tenantId, connectionId],
    );
    const context = contextOf(tenantId);
    const walks: ((at: string | null) => Promise<{ paths: string[]; next: string | null; answer: unknown }>)[] = [
      async (at) => {
        const answer = await list({ limit: 200, ...(at !== null && { cursor: at }) });
        return { answer, paths: answer.nodes.map(({ path }) => path), next: answer.next_cursor };
      },
      async (at) => {
        const answer = await kiln.openObjects.listFileNodes({ ...ofConnection(), after: at, limit: 200 }, context);
        const next = answer.is_last ? null : (answer.nodes.at(-1)?.node_id ?? null);
        return { answer, paths: answer.nodes.map(({ path }) => path), next };
      },
    ];
    for (const walk of walks) {
      const seen: string[] = [];
      let pages = 0;
      for (let at: string | null = null; pages === 0 || at !== null; pages++) {
        const { answer, paths, next } = await walk(at);
        expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(MESSAGE_BYTES_MAX);
        seen.push(...paths);
        at = next;
      }
      expect([seen.length, new Set(seen).size]).toStrictEqual([205, 205]);
      expect(pages).toBeGreaterThan(5);
    }
  });

  it('are filtered by parent and type; the cursor of one list is rejected by another', async () => {
    await bucket.put(['a/1.txt', 'a/2.txt', 'a/b/3.txt', '4.txt']);
    await kiln.sync(tenantId, connectionId);
    const folder = await nodeAt('a/');
    const names = (page: { nodes: { name: string }[] }) => page.nodes.map(({ name }) => name);
    expect(names(await list({ parent_id: folder.id }))).toStrictEqual(['b', '1.txt', '2.txt']);
    expect(names(await list({ parent_id: folder.id, type: 'file' }))).toStrictEqual(['1.txt', '2.txt']);
    expect(names(await list({ parent_id: 'root' }))).toStrictEqual(['a', '4.txt']);
    const children = await kiln.manageNodes.children({ id: folder.id, limit: 1 }, contextOf(tenantId));
    expect(children.nodes).toStrictEqual([
      { id: (await nodeAt('a/b/')).id, type: 'folder', name: 'b', size_bytes: null },
    ]);
    const cursor = children.next_cursor ?? '';
    const next = await kiln.manageNodes.children({ id: folder.id, limit: 1, cursor }, contextOf(tenantId));
    expect(next.nodes.map(({ size_bytes }) => size_bytes)).toStrictEqual(['text'.length]);
    await expect(list({ cursor })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(kiln.manageNodes.list({ parent_id: 'root', limit: 5 }, contextOf(tenantId))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    const all = await kiln.manageNodes.list({ limit: 50 }, contextOf(tenantId));
    expect(all.nodes).toHaveLength(6);
  });

  it('of another tenant are not found', async () => {
    await bucket.put(['a/1.txt']);
    await kiln.sync(tenantId, connectionId);
    const { id } = await nodeAt('a/1.txt');
    const stranger = contextOf(uuidv7());
    const missing = { code: 'NOT_FOUND' };
    await expect(kiln.manageNodes.get({ id }, stranger)).rejects.toMatchObject(missing);
    await expect(kiln.manageNodes.download({ id }, stranger)).rejects.toMatchObject(missing);
    await expect(kiln.manageNodes.remove({ id }, stranger)).rejects.toMatchObject(missing);
    await expect(kiln.manageNodes.children({ id, limit: 5 }, stranger)).rejects.toMatchObject(missing);
    await expect(list({}, stranger.tenantId)).rejects.toMatchObject(missing);
    await expect(kiln.uploadNode.commit({ node_id: id }, stranger)).rejects.toMatchObject(missing);
    await expect(
      kiln.openObjects.sign({ ...ofConnection(), path: 'a/1.txt', filename: 'x' }, stranger),
    ).rejects.toMatchObject(missing);
    expect((await kiln.manageNodes.list({ limit: 5 }, stranger)).nodes).toStrictEqual([]);
  });

  it('are deleted together with their contents only; the bucket keeps its objects, and the next sync adds the nodes again, with their ids', async () => {
    await bucket.put(['a/1.txt', 'a/b/2.txt', 'a0/3.txt', 'a.txt']);
    await kiln.sync(tenantId, connectionId);
    const folder = await nodeAt('a/');
    const files = [await nodeAt('a/1.txt'), await nodeAt('a/b/2.txt'), await nodeAt('a.txt')];
    await kiln.manageNodes.remove({ id: files[2]?.id ?? '' }, contextOf(tenantId));
    expect(await kiln.manageNodes.remove({ id: folder.id }, contextOf(tenantId))).toStrictEqual({ deleted: true });
    expect(await kiln.paths(connectionId)).toStrictEqual(['a0/', 'a0/3.txt']);
    expect(await bucket.objects.head('a/b/2.txt')).toBeTruthy();
    const { row } = await kiln.sync(tenantId, connectionId);
    expect(row?.files_added).toBe(3);
    expect((await nodeAt('a/')).id).toBe(folder.id);
    const again = await Promise.all(files.map(({ path }) => nodeAt(path)));
    expect(again.map(({ id }) => id)).toStrictEqual(files.map(({ id }) => id));
  });

  it('are downloaded by a signed URL of the bucket that sets the file name and is valid for an hour', async () => {
    await bucket.put(['a/report ü.txt'], 'the bytes');
    await kiln.sync(tenantId, connectionId);
    const { id } = await nodeAt('a/report ü.txt');
    const { url, expires_in } = await kiln.manageNodes.download({ id }, contextOf(tenantId));
    const response = await fetch(url);
    expect([expires_in, await response.text()]).toStrictEqual([3_600, 'the bytes']);
    expect(response.headers.get('content-disposition') ?? '').toMatch(/attachment.*report/);
    await expect(kiln.manageNodes.download({ id: (await nodeAt('a/')).id }, contextOf(tenantId))).rejects.toMatchObject(
      { code: 'CONFLICT' },
    );
  });

  it('are created, with their folders, when an upload is committed, and keep their id when the object is uploaded again', async () => {
    const init = (path: string) =>
      kiln.uploadNode.init({ ...ofConnection(), path, node_id: encodeId('node', uuidv7()) }, contextOf(tenantId));
    const started = await init('in/box/memo.md');
    const commit = (node_id: string) => kiln.uploadNode.commit({ node_id }, contextOf(tenantId));
    await expect(commit(started.node_id)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(commit(encodeId('node', uuidv7()))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const put = await fetch(started.upload_url, { method: 'PUT', body: '# Memo', headers: started.upload_headers });
    expect(put.status).toBe(200);
    const node = await commit(started.node_id);
    expect([node.node_id, node.name, node.size_bytes, node.content_type]).toStrictEqual([
      started.node_id,
      'memo.md',
      6,
      'text/markdown',
    ]);
    // A repeated commit.
    expect(await commit(started.node_id)).toStrictEqual(node);
    expect(await kiln.paths(connectionId)).toStrictEqual(['in/', 'in/box/', 'in/box/memo.md']);
    const { row } = await kiln.sync(tenantId, connectionId);
    expect([row?.files_added, row?.files_updated, row?.files_deleted]).toStrictEqual([0, 0, 0]);
    expect((await init('in/box/memo.md')).node_id).toBe(started.node_id);
    expect((await nodeAt('in/box/memo.md')).id).toBe(started.node_id);
  });

  it('are not created outside the prefix of their connection', async () => {
    const narrow = await kiln.connect(tenantId, { ...bucket.connection, prefix: 'docs/' });
    const init = (path: string) =>
      kiln.uploadNode.init(
        { connection_id: encodeId('connection', narrow), path, node_id: encodeId('node', uuidv7()) },
        contextOf(tenantId),
      );
    await expect(init('other/a.txt')).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/docs\//),
    });
    expect(await init('docs/a.txt')).toBeTruthy();
  });

  it('committed behind the position of a running sync are not removed by it', async () => {
    await bucket.put(['m.txt', 'z.txt']);
    await kiln.sync(tenantId, connectionId);
    kiln.access.pageSize = 1;
    const started = await kiln.uploadNode.init(
      { ...ofConnection(), path: 'a.txt', node_id: encodeId('node', uuidv7()) },
      contextOf(tenantId),
    );
    kiln.access.onPage = async (keys) => {
      if (!keys.includes('m.txt')) return;
      await bucket.put(['a.txt']);
      await kiln.uploadNode.commit({ node_id: started.node_id }, contextOf(tenantId));
    };
    const { row } = await kiln.sync(tenantId, connectionId);
    kiln.access.pageSize = 1_000;
    kiln.access.onPage = () => undefined;
    expect(row?.files_deleted).toBe(0);
    expect(await kiln.paths(connectionId)).toStrictEqual(['a.txt', 'm.txt', 'z.txt']);
  });

  it('are returned to other services as files, with the content type found in their bytes', async () => {
    await bucket.put(['1.txt', '2.txt', 'f/3.bin']);
    await bucket.objects.put('picture.txt', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), {
      contentType: 'text/plain',
    });
    await kiln.sync(tenantId, connectionId);
    const context = contextOf(tenantId);
    const first = await kiln.openObjects.listFileNodes({ ...ofConnection(), after: null, limit: 3 }, context);
    const after = first.nodes.at(-1)?.node_id ?? null;
    const second = await kiln.openObjects.listFileNodes({ ...ofConnection(), after, limit: 3 }, context);
    expect([first.is_last, second.is_last]).toStrictEqual([false, true]);
    expect([...first.nodes, ...second.nodes].map(({ path }) => path)).toStrictEqual([
      '1.txt',
      '2.txt',
      'f/3.bin',
      'picture.txt',
    ]);

    const open = (path: string) =>
      kiln.openObjects.open({ ...ofConnection(), path, filename: path, claimed_type: 'text/plain' }, context);
    const { object } = await open('picture.txt');
    expect([object?.content_type, object?.size_bytes, object?.etag_header]).toStrictEqual(['image/png', 16, 'etag']);
    const response = await fetch(object?.url ?? '');
    expect(response.headers.get('etag')?.replaceAll('"', '')).toBe(object?.etag);
    await response.arrayBuffer();
    expect(await open('gone.txt')).toStrictEqual({ object: null });
    const stats = await kiln.openObjects.stat({ ...ofConnection(), paths: ['gone.txt', '1.txt'] }, context);
    expect(stats.objects.map((found) => found?.size_bytes ?? null)).toStrictEqual([null, 4]);
  });
});
