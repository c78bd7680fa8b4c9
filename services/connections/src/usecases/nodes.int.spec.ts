// Real: Postgres, and the embedded object store as the bucket of a customer. Faked: nothing.
import { encodeId, MESSAGE_BYTES_MAX } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import { newBucket, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

type Bucket = Awaited<ReturnType<typeof newBucket>>;

describe('nodes', () => {
  let kiln: SyncsHarness;
  let bucket: Bucket;
  let tenantId: string;
  let connectionId: string;
  before(async () => {
    kiln = await startSyncs();
  });
  beforeEach(async () => {
    bucket = await newBucket();
    tenantId = uuidv7();
    connectionId = await kiln.connect(tenantId, bucket.connection);
  });
  after(() => kiln.close());

  const ofConnection = () => ({ connection_id: encodeId('connection', connectionId) });
  const list = (query: Partial<Parameters<SyncsHarness['readNodes']['list']>[0]> = {}, tenant = tenantId) =>
    kiln.readNodes.list({ ...ofConnection(), limit: 50, ...query }, contextOf(tenant));
  async function nodeAt(path: string) {
    const found = (await list({ limit: 200 })).nodes.find((node) => node.path === path);
    assert.ok(found, path);
    return found;
  }

  it('are listed page by page, folders first, each once, also while syncs add and remove some', async () => {
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
    assert.equal(new Set(seen).size, seen.length);
    assert.deepEqual(seen.slice(0, 3).toSorted(), ['a/', 'b/', 'b/c/']);
    for (const path of ['a/1.txt', 'a/2.txt', 'b/3.txt', 'b/c/4.txt', '6.txt']) assert.ok(seen.includes(path), path);
  });

  it('with the longest keys there can be fill pages that fit into a message, each once', async () => {
    await kiln.sql(
      `insert into node_rows (tenant_id, id, connection_id, parent_id, is_file, name, path, size_bytes, etag)
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
        assert.ok(Buffer.byteLength(JSON.stringify(answer)) <= MESSAGE_BYTES_MAX);
        seen.push(...paths);
        at = next;
      }
      assert.deepEqual([seen.length, new Set(seen).size], [205, 205]);
      assert.ok(pages > 5, `${pages} pages`);
    }
  });

  it('are filtered by parent and type, and a cursor of one list is refused by another', async () => {
    await bucket.put(['a/1.txt', 'a/2.txt', 'a/b/3.txt', '4.txt']);
    await kiln.sync(tenantId, connectionId);
    const folder = await nodeAt('a/');
    const names = (page: { nodes: { name: string }[] }) => page.nodes.map(({ name }) => name);
    assert.deepEqual(names(await list({ parent_id: folder.id })), ['b', '1.txt', '2.txt']);
    assert.deepEqual(names(await list({ parent_id: folder.id, type: 'file' })), ['1.txt', '2.txt']);
    assert.deepEqual(names(await list({ parent_id: 'root' })), ['a', '4.txt']);
    const children = await kiln.readNodes.children({ id: folder.id, limit: 1 }, contextOf(tenantId));
    assert.deepEqual(children.nodes, [{ id: (await nodeAt('a/b/')).id, type: 'folder', name: 'b' }]);
    const cursor = children.next_cursor ?? '';
    const next = await kiln.readNodes.children({ id: folder.id, limit: 1, cursor }, contextOf(tenantId));
    assert.deepEqual(
      next.nodes.map(({ size_bytes }) => size_bytes),
      ['text'.length],
    );
    await assert.rejects(list({ cursor }), { code: 'BAD_REQUEST' });
    await assert.rejects(kiln.readNodes.list({ parent_id: 'root', limit: 5 }, contextOf(tenantId)), {
      code: 'BAD_REQUEST',
    });
    const all = await kiln.readNodes.list({ limit: 50 }, contextOf(tenantId));
    assert.equal(all.nodes.length, 6);
  });

  it('of another tenant do not exist', async () => {
    await bucket.put(['a/1.txt']);
    await kiln.sync(tenantId, connectionId);
    const { id } = await nodeAt('a/1.txt');
    const stranger = contextOf(uuidv7());
    const missing = { code: 'NOT_FOUND' };
    await assert.rejects(kiln.readNodes.get({ id }, stranger), missing);
    await assert.rejects(kiln.downloadNode.execute({ id }, stranger), missing);
    await assert.rejects(kiln.deleteNode.execute({ id }, stranger), missing);
    await assert.rejects(kiln.readNodes.children({ id, limit: 5 }, stranger), missing);
    await assert.rejects(list({}, stranger.tenantId), missing);
    await assert.rejects(kiln.uploadNode.commit({ node_id: id }, stranger), missing);
    await assert.rejects(
      kiln.openObjects.sign({ ...ofConnection(), path: 'a/1.txt', filename: 'x' }, stranger),
      missing,
    );
    assert.deepEqual((await kiln.readNodes.list({ limit: 5 }, stranger)).nodes, []);
  });

  it('are forgotten with what lies in them, and no more; the bucket keeps its objects, and a sync finds them again', async () => {
    await bucket.put(['a/1.txt', 'a/b/2.txt', 'a0/3.txt', 'a.txt']);
    await kiln.sync(tenantId, connectionId);
    const folder = await nodeAt('a/');
    assert.deepEqual(await kiln.deleteNode.execute({ id: folder.id }, contextOf(tenantId)), { deleted: true });
    assert.deepEqual(await kiln.paths(connectionId), ['a.txt', 'a0/', 'a0/3.txt']);
    assert.ok(await bucket.objects.head('a/b/2.txt'));
    const { row } = await kiln.sync(tenantId, connectionId);
    assert.equal(row?.files_added, 2);
    assert.equal((await nodeAt('a/')).id, folder.id, 'a folder is the same again');
  });

  it('are downloaded by a URL of the bucket, under their name, for an hour', async () => {
    await bucket.put(['a/report ü.txt'], 'the bytes');
    await kiln.sync(tenantId, connectionId);
    const { id } = await nodeAt('a/report ü.txt');
    const { url, expires_in } = await kiln.downloadNode.execute({ id }, contextOf(tenantId));
    const response = await fetch(url);
    assert.deepEqual([expires_in, await response.text()], [3_600, 'the bytes']);
    assert.match(response.headers.get('content-disposition') ?? '', /attachment.*report/);
    await assert.rejects(kiln.downloadNode.execute({ id: (await nodeAt('a/')).id }, contextOf(tenantId)), {
      code: 'CONFLICT',
    });
  });

  it('are made of uploads once the bytes are there, with their folders, and stay the same when they are uploaded again', async () => {
    const init = (path: string) =>
      kiln.uploadNode.init({ ...ofConnection(), path, node_id: encodeId('node', uuidv7()) }, contextOf(tenantId));
    const started = await init('in/box/memo.md');
    const commit = (node_id: string) => kiln.uploadNode.commit({ node_id }, contextOf(tenantId));
    await assert.rejects(commit(started.node_id), { code: 'CONFLICT' });
    await assert.rejects(commit(encodeId('node', uuidv7())), { code: 'NOT_FOUND' });
    const put = await fetch(started.upload_url, { method: 'PUT', body: '# Memo', headers: started.upload_headers });
    assert.equal(put.status, 200);
    const node = await commit(started.node_id);
    assert.deepEqual(
      [node.node_id, node.name, node.size_bytes, node.content_type],
      [started.node_id, 'memo.md', 6, 'text/markdown'],
    );
    assert.deepEqual(await commit(started.node_id), node, 'repeated');
    assert.deepEqual(await kiln.paths(connectionId), ['in/', 'in/box/', 'in/box/memo.md']);
    const { row } = await kiln.sync(tenantId, connectionId);
    assert.deepEqual([row?.files_added, row?.files_updated, row?.files_deleted], [0, 0, 0]);
    assert.equal((await init('in/box/memo.md')).node_id, started.node_id);
    assert.equal((await nodeAt('in/box/memo.md')).id, started.node_id);
  });

  it('are not made outside the prefix of their connection', async () => {
    const narrow = await kiln.connect(tenantId, { ...bucket.connection, prefix: 'docs/' });
    const init = (path: string) =>
      kiln.uploadNode.init(
        { connection_id: encodeId('connection', narrow), path, node_id: encodeId('node', uuidv7()) },
        contextOf(tenantId),
      );
    await assert.rejects(init('other/a.txt'), { code: 'BAD_REQUEST', message: /docs\// });
    assert.ok(await init('docs/a.txt'));
  });

  it('committed while a sync lists what comes after them are not taken for gone', async () => {
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
    assert.equal(row?.files_deleted, 0);
    assert.deepEqual(await kiln.paths(connectionId), ['a.txt', 'm.txt', 'z.txt']);
  });

  it('are told to other services as files, and opened for them with the type that the bytes tell', async () => {
    await bucket.put(['1.txt', '2.txt', 'f/3.bin']);
    await bucket.objects.put('picture.txt', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), {
      contentType: 'text/plain',
    });
    await kiln.sync(tenantId, connectionId);
    const context = contextOf(tenantId);
    const first = await kiln.openObjects.listFileNodes({ ...ofConnection(), after: null, limit: 3 }, context);
    const after = first.nodes.at(-1)?.node_id ?? null;
    const second = await kiln.openObjects.listFileNodes({ ...ofConnection(), after, limit: 3 }, context);
    assert.deepEqual([first.is_last, second.is_last], [false, true]);
    assert.deepEqual(
      [...first.nodes, ...second.nodes].map(({ path }) => path),
      ['1.txt', '2.txt', 'f/3.bin', 'picture.txt'],
    );

    const open = (path: string) =>
      kiln.openObjects.open({ ...ofConnection(), path, filename: path, claimed_type: 'text/plain' }, context);
    const { object } = await open('picture.txt');
    assert.deepEqual([object?.content_type, object?.size_bytes, object?.etag_header], ['image/png', 16, 'etag']);
    const response = await fetch(object?.url ?? '');
    assert.equal(response.headers.get('etag')?.replaceAll('"', ''), object?.etag);
    await response.arrayBuffer();
    assert.deepEqual(await open('gone.txt'), { object: null });
    const stats = await kiln.openObjects.stat({ ...ofConnection(), paths: ['gone.txt', '1.txt'] }, context);
    assert.deepEqual(
      stats.objects.map((found) => found?.size_bytes ?? null),
      [null, 4],
    );
  });
});
