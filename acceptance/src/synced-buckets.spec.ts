// A customer's bucket from the outside: connected, synced, its files processed where they lie, and found by a search. The bucket is an
// object store of its own beside the system, which is allowed to be on loopback; everything is put into it by signed URLs.
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { startObjectStore, type RunningObjectStore } from '@kiln/object-store';
import aws4 from 'aws4';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { pdfOf } from './support/documents.js';
import { answer, startEndpoint, type Endpoint } from './support/endpoints.js';
import { KilnClient, type Answer } from './support/kiln-client.js';
import { newKey, newOrganization } from './support/operator.config.js';
import { until } from './support/stored-files.js';

const CREDENTIALS = { accessKeyId: 'customer', secretAccessKey: 'customers-own-secret' };
const JOB_MS = 120_000;

interface Node {
  id: string;
  type: string;
  name: string;
  path: string;
  parent_id: string | null;
}

interface Sync {
  id: string;
  status: string;
  synced_count: number;
  files_added: number;
  files_updated: number;
  files_deleted: number;
  error: { code: string; message: string } | null;
}

interface Started {
  batch_id: string;
  queued: number;
  job_ids: string[];
  rest: string;
}

describe('a connected bucket', () => {
  let system: RunningSystem;
  let store: RunningObjectStore;
  let endpoint: Endpoint;
  let client: KilnClient;
  let connectionId: string;
  let bucket: string;
  let bucketNumber = 0;
  const directory = mkdtempSync(join(tmpdir(), 'kiln-customer-'));
  const buckets = Array.from({ length: 8 }, (_, index) => `documents-${index}`);

  before(async () => {
    store = await startObjectStore({ directory, buckets, durable: false, ...CREDENTIALS });
    endpoint = await startEndpoint(answer(204));
    system = await startSystem({
      environment: { KILN_OUTBOUND_ALLOW: '127.0.0.1', KILN_PLAN_PAGES: 'free=3:stop' },
    });
  });
  after(async () => {
    await system.stop();
    await endpoint.close();
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await connect('enterprise');
  });

  /** An organization of its own, connected to a bucket of its own. */
  async function connect(plan: 'enterprise' | 'free'): Promise<void> {
    bucket = buckets[bucketNumber++] ?? '';
    const organizationId = await newOrganization(system.dataDir, plan);
    client = await KilnClient.of(system.baseUrl, await newKey(system.dataDir, organizationId, 'live'));
    const { status, body } = await client.post<{ id: string; status: string }>('/v1/connections/verify', {
      provider: 'selfhost_s3',
      name: 'Documents',
      bucket,
      credentials: {
        access_key_id: CREDENTIALS.accessKeyId,
        secret_access_key: CREDENTIALS.secretAccessKey,
        endpoint: store.url,
      },
    });
    assert.deepEqual([status, body.status], [201, 'active'], JSON.stringify(body));
    connectionId = body.id;
  }

  async function begin(
    path: string,
  ): Promise<{ node_id: string; upload_url: string; upload_headers: Record<string, string> }> {
    const { status, body } = await client.post('/v1/nodes/upload/init', { connection_id: connectionId, path });
    assert.equal(status, 200, JSON.stringify(body));
    return body as never;
  }
  /** Into the bucket, past Kiln. */
  async function put(path: string, bytes: BodyInit): Promise<string> {
    const { node_id, upload_url, upload_headers } = await begin(path);
    assert.equal((await fetch(upload_url, { method: 'PUT', headers: upload_headers, body: bytes })).status, 200);
    return node_id;
  }
  async function removeObject(path: string): Promise<void> {
    const { host } = new URL(store.url);
    const request = { service: 's3', region: 'us-east-1', method: 'DELETE', host, path: `/${bucket}/${path}` };
    const { headers } = aws4.sign(request, CREDENTIALS);
    const { status } = await fetch(`${store.url}${request.path}`, {
      method: 'DELETE',
      headers: headers as Record<string, string>,
    });
    assert.equal(status, 204);
  }
  const sync = () => client.post<Sync>(`/v1/connections/${connectionId}/sync`, undefined);
  const process = () => client.post<Started>('/v1/files/process-batch', { connection_id: connectionId });
  const nodesOf = async (query: string) => (await client.get<{ nodes: Node[] }>(`/v1/nodes?${query}`)).body.nodes;
  async function completed({ status, body }: Answer<Started>): Promise<string[]> {
    assert.equal(status, 201, JSON.stringify(body));
    const jobs = await Promise.all(body.job_ids.map((id) => client.waitForJob(id, JOB_MS)));
    assert.deepEqual(
      jobs.filter((job) => job.status !== 'completed'),
      [],
    );
    return jobs.map((job) => job.file_id);
  }

  it('is synced, processed by connection_id and found by a search; a repeat queues only what has changed since', async () => {
    await put('handbook.md', '# Handbook\n\nThe zephyrine protocol applies to every lantern.');
    await put('contracts/2026/lease.pdf', new Uint8Array(await pdfOf('A lease of the quaggadome until spring.')));
    await put('contracts/notes.txt', 'Nothing but ordinary notes.');
    const synced = await sync();
    assert.deepEqual([synced.status, synced.body.status, synced.body.files_added], [200, 'completed', 3]);

    const started = await process();
    assert.deepEqual([started.body.queued, started.body.job_ids.length, started.body.rest], [3, 3, 'none']);
    const fileIds = await completed(started);
    const found = await client.search('zephyrine');
    assert.equal(found.total, 1);
    assert.ok(fileIds.includes(found.results[0]?.file_id ?? ''));
    assert.equal((await client.search('quaggadome')).total, 1);
    const batch = await client.get<{ total: number; completed: number }>(`/v1/batches/${started.body.batch_id}`);
    assert.deepEqual([batch.body.total, batch.body.completed], [3, 3]);

    const again = await process();
    assert.deepEqual([again.status, again.body.queued, again.body.rest], [201, 0, 'none']);
    await put('handbook.md', '# Handbook\n\nThe zephyrine protocol was replaced by the ombrophilous one.');
    assert.equal((await sync()).body.files_updated, 1);
    const changed = await process();
    assert.equal(changed.body.queued, 1);
    const [fileId] = await completed(changed);
    assert.equal(fileId, found.results[0]?.file_id, 'the same file');
    assert.equal((await client.search('ombrophilous')).total, 1);

    const download = await client.get<{ url: string }>(`/v1/files/${fileId}/download`);
    assert.equal(download.status, 200);
    assert.ok(download.body.url.startsWith(store.url), 'the bytes stay in the bucket');
    assert.match(await (await fetch(download.body.url)).text(), /ombrophilous/);
  });

  it('shows its nodes as a tree, each with a download from the bucket; deleting a node leaves the object', async () => {
    await put('top.txt', 'top');
    await put('a/one.txt', 'one');
    await put('a/b/two.txt', 'two');
    assert.equal((await sync()).body.synced_count, 3);
    const top = await nodesOf(`connection_id=${connectionId}&parent_id=root`);
    assert.deepEqual(
      top.map(({ type, name }) => [type, name]),
      [
        ['folder', 'a'],
        ['file', 'top.txt'],
      ],
    );
    const folder = top[0];
    assert.ok(folder);
    const { body: children } = await client.get<{ nodes: Record<string, unknown>[] }>(
      `/v1/nodes/${folder.id}/children?type=file`,
    );
    assert.deepEqual(
      children.nodes.map(({ id: _id, ...rest }) => rest),
      [{ type: 'file', name: 'one.txt', size_bytes: 3 }],
    );
    const files = await nodesOf(`connection_id=${connectionId}&type=file`);
    assert.deepEqual(files.map(({ path }) => path).toSorted(), ['a/b/two.txt', 'a/one.txt', 'top.txt']);

    const two = files.find(({ name }) => name === 'two.txt');
    assert.ok(two);
    const { body } = await client.get<{ url: string; expires_in: number }>(`/v1/nodes/${two.id}/download`);
    assert.equal(body.expires_in, 3600);
    assert.equal(await (await fetch(body.url)).text(), 'two');
    assert.equal((await client.get(`/v1/nodes/${folder.id}/download`)).status, 409);
    assert.deepEqual((await client.request('DELETE', `/v1/nodes/${two.id}`)).body, { deleted: true });
    assert.equal((await client.get(`/v1/nodes/${two.id}`)).status, 404);
    assert.equal(await (await fetch(body.url)).text(), 'two', 'the bucket is left alone');
  });

  it('takes an upload by init, PUT and commit, which makes node, file and job', async () => {
    const { node_id } = await begin('inbox/memo.md');
    const early = await client.post('/v1/nodes/upload/commit', { node_id });
    assert.deepEqual([early.status, early.body['code']], [409, 'CONFLICT']);
    assert.equal(await put('inbox/memo.md', '# Memo\n\nAbout the vellichor of shelves.').then(() => 'put'), 'put');
    const { status, body } = await client.post<{ node_id: string; job_id: string; file_id: string }>(
      '/v1/nodes/upload/commit',
      { node_id },
    );
    assert.deepEqual([status, body.node_id], [200, node_id], JSON.stringify(body));
    assert.equal((await client.waitForJob(body.job_id, JOB_MS)).status, 'completed');
    assert.equal((await client.search('vellichor')).results[0]?.file_id, body.file_id);
    assert.equal((await client.get<Node>(`/v1/nodes/${node_id}`)).body.path, 'inbox/memo.md');
    assert.equal((await sync()).body.files_added, 0, 'a sync finds nothing new');
    const again = await client.post<{ job_id: string }>('/v1/nodes/upload/commit', { node_id });
    assert.deepEqual([again.status, again.body.job_id], [200, body.job_id]);
  });

  it('tells webhooks of its syncs', async () => {
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
    assert.ok(received);
    const payload = new Webhook(webhook.secret).verify(received.body, received.headers as Record<string, string>) as {
      type: string;
      data: unknown;
    };
    assert.equal(payload.type, 'connection.synced');
    const counts = { files_added: 1, files_updated: 0, files_deleted: 0 };
    assert.deepEqual(payload.data, { connection_id: connectionId, sync_id: body.id, ...counts });
  });

  it('keeps its nodes when a sync would remove most of them, until it is forced to; nothing runs that could be cancelled', async () => {
    const kept = 'kept.txt';
    const paths = [kept, ...Array.from({ length: 21 }, (_, at) => `${at}.txt`)];
    for (const path of paths) await put(path, 'text');
    assert.equal((await sync()).body.files_added, 22);
    for (const path of paths.slice(1)) await removeObject(path);
    const stopped = await sync();
    assert.deepEqual([stopped.status, stopped.body.status, stopped.body.files_deleted], [200, 'failed', 0]);
    assert.equal(stopped.body.error?.code, 'too_many_deletions');
    assert.equal((await nodesOf(`connection_id=${connectionId}`)).length, 22);
    const unclear = await client.post<{ code: string }>(`/v1/connections/${connectionId}/sync`, { force: 'yes' });
    assert.deepEqual([unclear.status, unclear.body.code], [400, 'BAD_REQUEST']);
    const forced = await client.post<Sync>(`/v1/connections/${connectionId}/sync`, { force: true });
    assert.deepEqual([forced.body.status, forced.body.files_deleted], ['completed', 21]);
    assert.deepEqual(
      (await nodesOf(`connection_id=${connectionId}`)).map(({ path }) => path),
      [kept],
    );
    const idle = await client.post<{ code: string }>(`/v1/connections/${connectionId}/sync/cancel`, undefined);
    assert.deepEqual([idle.status, idle.body.code], [409, 'CONFLICT']);
  });

  it('gets no more work done than the plan holds pages for', async () => {
    await connect('free');
    for (const name of ['a', 'b', 'c', 'd']) await put(`${name}.txt`, `Text of ${name}.`);
    await sync();
    const refused = await process();
    assert.deepEqual(
      [refused.status, (refused.body as never)['code']],
      [402, 'QUOTA_EXCEEDED'],
      'all or none of a page',
    );
    const nodes = await nodesOf(`connection_id=${connectionId}&type=file`);
    assert.equal((await client.request('DELETE', `/v1/nodes/${nodes[0]?.id}`)).status, 200);
    await completed(await process());
    assert.equal((await client.get<{ pages_used: number }>('/v1/org/usage')).body.pages_used, 3);
  });

  it('deleted takes its nodes along and leaves the files that were made of it, which say where their bytes were', async () => {
    await put('kept.md', '# Kept\n\nAn absquatulating paragraph.');
    await sync();
    const [fileId] = await completed(await process());
    const [node] = await nodesOf(`connection_id=${connectionId}`);
    assert.equal((await client.request('DELETE', `/v1/connections/${connectionId}`)).status, 200);
    assert.equal((await client.get(`/v1/nodes/${node?.id}`)).status, 404);
    assert.equal((await client.get(`/v1/nodes?connection_id=${connectionId}`)).status, 404);
    assert.equal((await process()).status, 404);
    assert.equal((await client.search('absquatulating')).results[0]?.file_id, fileId);
    assert.match(await client.markdown(fileId ?? ''), /absquatulating/);
    const download = await client.get(`/v1/files/${fileId}/download`);
    assert.deepEqual([download.status, download.body['code']], [409, 'CONFLICT']);
    assert.match(String(download.body['error']), /has been deleted/);
  });
});
