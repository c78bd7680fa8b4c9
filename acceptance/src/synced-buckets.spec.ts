/** @slow */
// An external bucket over HTTP: connect, sync, process its files in place, and search them. The bucket is a separate object store
// on loopback. Objects are created with signed URLs.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startObjectStore, type RunningObjectStore } from '@kiln/object-store';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { ConnectedBucket, type Node, type Started, type Sync } from './support/connected-bucket.js';
import { pdfOf } from './support/documents.js';
import { answer, startEndpoint, type Endpoint } from './support/endpoints.js';
import { inOneMonth } from './support/in-one-month.js';
import { bodyOf, KilnClient, type Answer } from './support/kiln-client.js';
import { startNotificationQueue } from './support/notification-queue.js';
import { newOrganizationWithKey } from './support/operator.config.js';
import { until } from './support/stored-files.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const CREDENTIALS = { accessKeyId: 'customer', secretAccessKey: 'customers-own-secret' };
const JOB_MS = 120_000;

describe('an external bucket', () => {
  let system: SystemUnderTest;
  let store: RunningObjectStore;
  let endpoint: Endpoint;
  let client: KilnClient;
  let connectionId: string;
  let customer: ConnectedBucket;
  let bucketNumber = 0;
  const directory = mkdtempSync(join(tmpdir(), 'kiln-customer-'));
  const buckets = Array.from({ length: 14 }, (_, index) => `documents-${index}`);

  beforeAll(async () => {
    store = await startObjectStore({ directory, buckets, durable: false, ...CREDENTIALS });
    endpoint = await startEndpoint(answer(204));
    system = await systemUnderTest();
  });
  afterAll(async () => {
    await system.stop();
    await endpoint.close();
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await connect('enterprise');
  });

  /** A new organization, connected to a new bucket. */
  async function connect(plan: 'enterprise' | 'free', fields: object = {}): Promise<void> {
    const bucket = buckets[bucketNumber++] ?? '';
    const { apiKey } = await newOrganizationWithKey(system.dataDir, plan);
    client = await KilnClient.of(system.client.baseUrl, apiKey);
    const answer = await client.post<{ id: string; status: string }>('/v1/connections/verify', {
      provider: 'selfhost_s3',
      name: 'Documents',
      bucket,
      credentials: {
        access_key_id: CREDENTIALS.accessKeyId,
        secret_access_key: CREDENTIALS.secretAccessKey,
        endpoint: store.url,
      },
      ...fields,
    });
    const { id, status } = bodyOf(answer, 201);
    expect(status).toBe('active');
    connectionId = id;
    customer = new ConnectedBucket(client, connectionId, { url: store.url, bucket, ...CREDENTIALS });
  }

  const put = (path: string, bytes: BodyInit) => customer.put(path, bytes);
  const removeObject = (path: string) => customer.removeObject(path);
  const sync = () => customer.sync();
  const process = () => customer.process();
  const nodesOf = (query: string) => customer.nodesOf(query);
  const searched = (word: string, total: number) =>
    until(
      () => client.search(word),
      (found) => found.total === total,
    );
  const completed = (answer: Answer<Started>) => customer.completed(answer);

  it('is synced, processed by connection_id and found by a search; a repeat queues only changed files', async () => {
    await put('handbook.md', '# Handbook\n\nThe zephyrine protocol applies to every lantern.');
    await put('contracts/2026/lease.pdf', new Uint8Array(await pdfOf('A lease of the quaggadome until spring.')));
    await put('contracts/notes.txt', 'Nothing but ordinary notes.');
    const synced = await sync();
    expect([synced.status, synced.body.status, synced.body.files_added]).toStrictEqual([200, 'completed', 3]);

    const started = await process();
    expect([started.body.queued, started.body.job_ids.length, started.body.rest]).toStrictEqual([3, 3, 'none']);
    const fileIds = await completed(started);
    const found = await client.search('zephyrine');
    expect(found.total).toBe(1);
    expect(fileIds).toContain(found.results[0]?.file_id ?? '');
    expect((await client.search('quaggadome')).total).toBe(1);
    const batch = await client.get<{ total: number; completed: number }>(`/v1/batches/${started.body.batch_id}`);
    expect([batch.body.total, batch.body.completed]).toStrictEqual([3, 3]);

    const again = await process();
    expect([again.status, again.body.queued, again.body.rest]).toStrictEqual([201, 0, 'none']);
    await put('handbook.md', '# Handbook\n\nThe zephyrine protocol was replaced by the ombrophilous one.');
    expect((await sync()).body.files_updated).toBe(1);
    const changed = await process();
    expect(changed.body.queued).toBe(1);
    const [fileId] = await completed(changed);
    // The same file.
    expect(fileId).toBe(found.results[0]?.file_id);
    expect((await client.search('ombrophilous')).total).toBe(1);

    const download = await client.get<{ url: string }>(`/v1/files/${fileId}/download`);
    expect(download.status).toBe(200);
    // The bytes remain in the bucket.
    expect(new URL(download.body.url).origin).toBe(new URL(store.url).origin);
    expect(await (await fetch(download.body.url)).text()).toMatch(/ombrophilous/);
  });

  it('lists its nodes as a tree, each with a download from the bucket; deleting a node keeps the object', async () => {
    await put('top.txt', 'top');
    await put('a/one.txt', 'one');
    await put('a/b/two.txt', 'two');
    expect((await sync()).body.synced_count).toBe(3);
    const top = await nodesOf(`connection_id=${connectionId}&parent_id=root`);
    expect(top.map(({ type, name }) => [type, name])).toStrictEqual([
      ['folder', 'a'],
      ['file', 'top.txt'],
    ]);
    const folder = top[0];
    if (!folder) throw new Error('no folder');
    const { body: children } = await client.get<{ nodes: Record<string, unknown>[] }>(
      `/v1/nodes/${folder.id}/children?type=file`,
    );
    expect(children.nodes.map(({ id: _id, ...rest }) => rest)).toStrictEqual([
      { type: 'file', name: 'one.txt', size_bytes: 3 },
    ]);
    const files = await nodesOf(`connection_id=${connectionId}&type=file`);
    expect(files.map(({ path }) => path).toSorted()).toStrictEqual(['a/b/two.txt', 'a/one.txt', 'top.txt']);

    const two = files.find(({ name }) => name === 'two.txt');
    if (!two) throw new Error('no two');
    const { body } = await client.get<{ url: string; expires_in: number }>(`/v1/nodes/${two.id}/download`);
    expect(body.expires_in).toBe(3600);
    expect(await (await fetch(body.url)).text()).toBe('two');
    expect((await client.get(`/v1/nodes/${folder.id}/download`)).status).toBe(409);
    expect((await client.request('DELETE', `/v1/nodes/${two.id}`)).body).toStrictEqual({ deleted: true });
    expect((await client.get(`/v1/nodes/${two.id}`)).status).toBe(404);
    // The bucket is unchanged.
    expect(await (await fetch(body.url)).text()).toBe('two');
  });

  it('accepts an upload by init, PUT and commit, which creates node, file and job', async () => {
    const { node_id } = await customer.begin('inbox/memo.md');
    const early = await client.post('/v1/nodes/upload/commit', { node_id });
    expect([early.status, early.body['code']]).toStrictEqual([409, 'CONFLICT']);
    expect(await put('inbox/memo.md', '# Memo\n\nAbout the vellichor of shelves.').then(() => 'put')).toBe('put');
    type Committed = { node_id: string; job_id: string; file_id: string };
    const body = bodyOf(await client.post<Committed>('/v1/nodes/upload/commit', { node_id }), 200);
    expect(body.node_id).toBe(node_id);
    expect((await client.waitForJob(body.job_id, JOB_MS)).status).toBe('completed');
    expect((await client.search('vellichor')).results[0]?.file_id).toBe(body.file_id);
    expect((await client.get<Node>(`/v1/nodes/${node_id}`)).body.path).toBe('inbox/memo.md');
    // A sync finds nothing new.
    expect((await sync()).body.files_added).toBe(0);
    const again = await client.post<{ job_id: string; status: string }>('/v1/nodes/upload/commit', { node_id });
    expect([again.status, again.body.job_id, again.body.status]).toStrictEqual([200, body.job_id, 'completed']);
  });

  it('reports its syncs to webhooks', async () => {
    const { body: webhook } = await client.post<{ secret: string }>('/v1/webhooks', {
      url: endpoint.url,
      events: ['connection.synced', 'connection.sync.failed'],
    });
    await put('a.txt', 'a');
    const { body } = await sync();
    const received = await until(
      () => Promise.resolve(endpoint.received.at(-1)),
      (last) => last !== undefined,
    );
    if (!received) throw new Error('no received');
    const payload = new Webhook(webhook.secret).verify(received.body, received.headers as Record<string, string>) as {
      type: string;
      data: unknown;
    };
    expect(payload.type).toBe('connection.synced');
    const counts = { files_added: 1, files_updated: 0, files_deleted: 0 };
    expect(payload.data).toStrictEqual({ connection_id: connectionId, sync_id: body.id, ...counts });
  });

  it('keeps its nodes if a sync would remove most of them, unless forced; cancelling without a running sync is 409', async () => {
    const kept = 'kept.txt';
    const paths = [kept, ...Array.from({ length: 21 }, (_, at) => `${at}.txt`)];
    for (const path of paths) await put(path, 'text');
    expect((await sync()).body.files_added).toBe(22);
    for (const path of paths.slice(1)) await removeObject(path);
    const stopped = await sync();
    expect([stopped.status, stopped.body.status, stopped.body.files_deleted]).toStrictEqual([200, 'failed', 0]);
    expect(stopped.body.error?.code).toBe('too_many_deletions');
    expect(await nodesOf(`connection_id=${connectionId}`)).toHaveLength(22);
    const unclear = await client.post<{ code: string }>(`/v1/connections/${connectionId}/sync`, { force: 'yes' });
    expect([unclear.status, unclear.body.code]).toStrictEqual([400, 'BAD_REQUEST']);
    const forced = await client.post<Sync>(`/v1/connections/${connectionId}/sync`, { force: true });
    expect([forced.body.status, forced.body.files_deleted]).toStrictEqual(['completed', 21]);
    expect((await nodesOf(`connection_id=${connectionId}`)).map(({ path }) => path)).toStrictEqual([kept]);
    const idle = await client.post<{ code: string }>(`/v1/connections/${connectionId}/sync/cancel`, undefined);
    expect([idle.status, idle.body.code]).toStrictEqual([409, 'CONFLICT']);
  });

  it('loses the files of objects that are gone, unless it keeps them for their return; files follow moved objects', async () => {
    await connect('enterprise', { space: 'mirror' });
    await put('gone.md', '# Gone\n\nA limerent paragraph.');
    await put('kept.md', '# Kept\n\nA petrichoral paragraph.');
    await sync();
    await completed(await process());
    const fileOf = async (word: string) => (await client.search(word, { space: 'mirror' })).results[0]?.file_id;
    const [gone, kept] = [await fileOf('limerent'), await fileOf('petrichoral')];
    await removeObject('gone.md');
    expect((await sync()).body.files_deleted).toBe(1);
    const status = () => client.get(`/v1/files/${gone}`).then((answer) => answer.status);
    await until(status, (code) => code === 404);
    await until(
      () => fileOf('limerent'),
      (id) => id === undefined,
    );
    const changed = await client.request('PATCH', `/v1/connections/${connectionId}`, { json: { on_delete: 'keep' } });
    expect(bodyOf(changed, 200)).toMatchObject({ on_delete: 'keep', space: 'mirror' });
    await removeObject('kept.md');
    expect((await sync()).body.files_deleted).toBe(1);
    expect((await client.get(`/v1/files/${kept}`)).status).toBe(200);
    expect(await fileOf('petrichoral')).toBe(kept);
    // The object returns, and is moved then. Nothing is processed again.
    await put('kept.md', '# Kept\n\nA petrichoral paragraph.');
    expect((await sync()).body).toMatchObject({ files_added: 1, files_deleted: 0 });
    expect((await process()).body.queued).toBe(0);
    await put('archive/moved.md', '# Kept\n\nA petrichoral paragraph.');
    await removeObject('kept.md');
    expect((await sync()).body).toMatchObject({ files_added: 0, files_deleted: 0, files_moved: 1 });
    await until(
      () => client.get<{ filename: string }>(`/v1/files/${kept}`),
      ({ body }) => body.filename === 'moved.md',
    );
    expect((await process()).body.queued).toBe(0);
    const { url } = (await client.get<{ url: string }>(`/v1/files/${kept}/download`)).body;
    expect(await (await fetch(url)).text()).toMatch(/petrichoral/);
  });

  it('is synced by schedule, and processed by itself as far as its rules select', async () => {
    await connect('enterprise', { auto_process: true, include: ['*.md'], exclude: ['drafts/**'] });
    await put('kept.md', '# Kept\n\nA susurrant paragraph.');
    await put('drafts/draft.md', '# Draft\n\nA susurrant draft.');
    await put('notes.txt', 'Susurrant notes.');
    const path = `/v1/connections/${connectionId}`;
    const preview = bodyOf(await client.post(`${path}/sync/preview`, undefined), 200);
    expect(preview).toMatchObject({ new_files: 3, queued_files: 1, excluded_files: 2 });
    expect((await sync()).body).toMatchObject({ files_added: 3, files_queued: 1, files_excluded: 2 });
    const found = await searched('susurrant', 1);
    const nodes = await nodesOf(`connection_id=${connectionId}&type=file`);
    expect(Object.fromEntries(nodes.map(({ path: key, excluded_by }) => [key, excluded_by]))).toStrictEqual({
      'kept.md': null,
      'drafts/draft.md': 'exclude',
      'notes.txt': 'include',
    });

    await put('kept.md', '# Kept\n\nA tintinnabular paragraph.');
    const scheduled = await client.request('PATCH', path, { json: { sync_interval_minutes: 5, include: [] } });
    expect(bodyOf(scheduled, 200)).toMatchObject({ sync_interval_minutes: 5, paused: false, include: [] });
    const changed = await searched('tintinnabular', 1);
    expect(changed.results[0]?.file_id).toBe(found.results[0]?.file_id);
    // The text that the rules had left out.
    await until(
      () => client.search('susurrant'),
      ({ total, results }) => total === 1 && results[0]?.file_id !== found.results[0]?.file_id,
    );
    const paused = await client.request('PATCH', path, { json: { paused: true } });
    expect(bodyOf(paused, 200)).toMatchObject({ paused: true, next_sync_at: null });
    await until(
      () => client.get<{ syncs: Sync[] }>(`${path}/sync/history`),
      ({ body }) => body.syncs.length === 2 && body.syncs.every(({ status }) => status === 'completed'),
    );
    const hasty = await client.request('PATCH', path, { json: { sync_interval_minutes: 4 } });
    expect([hasty.status, hasty.body['code']]).toStrictEqual([400, 'BAD_REQUEST']);
  });

  it('is followed by its queue of notifications, from an object to its file and to its end, without a sync', async () => {
    const queue = await startNotificationQueue();
    const bucket = buckets[bucketNumber] ?? '';
    await connect('enterprise', { auto_process: true, notifications: { type: 'sqs', queue: queue.url } });
    await put('notes/new.md', '# Notes\n\nThe apricity of winter.');
    queue.report(bucket, 'notes/new.md');
    await searched('apricity', 1);
    await removeObject('notes/new.md');
    queue.report(bucket, 'notes/new.md');
    await searched('apricity', 0);
    const { body } = await client.get<{ notifications: object }>(`/v1/connections/${connectionId}`);
    expect(body.notifications).toMatchObject({ status: 'active', last_received_at: expect.any(String) });
    expect((await sync()).body).toMatchObject({ files_added: 0, files_deleted: 0 });
    queue.close();
  });

  it('is processed only up to the pages of the plan', () =>
    inOneMonth(async () => {
      await connect('free');
      for (let page = 0; page <= 10; page++) await put(`${page}.txt`, `Text ${page}.`);
      await sync();
      const refused = await process();
      // The quota refuses a page of nodes as a whole.
      expect([refused.status, (refused.body as never)['code']]).toStrictEqual([402, 'QUOTA_EXCEEDED']);
      const nodes = await nodesOf(`connection_id=${connectionId}&type=file`);
      expect((await client.request('DELETE', `/v1/nodes/${nodes[0]?.id}`)).status).toBe(200);
      await completed(await process());
      expect((await client.get<{ pages_used: number }>('/v1/org/usage')).body.pages_used).toBe(10);
    }));

  it('when disconnected, loses its nodes and keeps the files created from it, with the location of their bytes', async () => {
    await put('kept.md', '# Kept\n\nAn absquatulating paragraph.');
    await sync();
    const [fileId] = await completed(await process());
    const [node] = await nodesOf(`connection_id=${connectionId}`);
    expect((await client.request('DELETE', `/v1/connections/${connectionId}`)).status).toBe(200);
    expect((await client.get(`/v1/nodes/${node?.id}`)).status).toBe(404);
    expect((await client.get(`/v1/nodes?connection_id=${connectionId}`)).status).toBe(404);
    expect((await process()).status).toBe(404);
    expect((await client.search('absquatulating')).results[0]?.file_id).toBe(fileId);
    expect(await client.markdown(fileId ?? '')).toMatch(/absquatulating/);
    const download = await client.get(`/v1/files/${fileId}/download`);
    expect([download.status, download.body['code']]).toStrictEqual([409, 'CONFLICT']);
    expect(String(download.body['error'])).toMatch(/has been deleted/);
  });
});
