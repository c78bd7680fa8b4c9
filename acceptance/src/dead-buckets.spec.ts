// Unavailable external buckets over HTTP: their owner gets the reason, and other callers are not affected.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startForeignBucket, type ForeignBucket } from './support/foreign-bucket.js';
import { bodyOf, KilnClient, type Answer } from './support/kiln-client.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

interface Refusal {
  error: string;
  code: string;
}

/** Enough to open a circuit, if such responses counted. */
const CALLS = 10;

describe('an unavailable external bucket', () => {
  let system: SystemUnderTest;
  let bucket: ForeignBucket;
  let owner: KilnClient;
  let others: KilnClient;
  let fileId: string;
  let nodeId: string;
  const servers: Server[] = [];

  beforeAll(async () => {
    bucket = await startForeignBucket();
    system = await systemUnderTest();
    [owner, others] = await Promise.all([system.newClient(), system.newClient()]);
    const connection_id = await connect(bucket.endpoint, bucket);
    await bucket.put('report.md', '# Report');
    nodeId = await initUpload(connection_id, 'report.md');
    const { file_id, job_id } = await commitUpload(nodeId);
    fileId = file_id;
    await owner.waitForJob(job_id);
    nodeId = await initUpload(connection_id, 'next.md');
    await bucket.stop();
  });
  afterAll(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await system.stop();
    await bucket.start();
    await bucket.remove();
  });

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  type Keys = Pick<ForeignBucket, 'bucket' | 'accessKeyId' | 'secretAccessKey'>;
  async function connect(endpoint: string, keys: Keys): Promise<string> {
    const answer = await owner.post<{ id: string }>('/v1/connections', {
      provider: 'selfhost_s3',
      name: 'Theirs',
      bucket: keys.bucket,
      credentials: { access_key_id: keys.accessKeyId, secret_access_key: keys.secretAccessKey, endpoint },
    });
    return bodyOf(answer, 201).id;
  }
  async function initUpload(connection_id: string, path: string): Promise<string> {
    return bodyOf(await owner.post<{ node_id: string }>('/v1/nodes/upload/init', { connection_id, path }), 200).node_id;
  }
  async function commitUpload(node_id: string): Promise<{ file_id: string; job_id: string }> {
    return bodyOf(await owner.post('/v1/nodes/upload/commit', { node_id }), 200);
  }
  async function othersAreServed(): Promise<void> {
    for (const path of ['/v1/connections', '/v1/files', '/v1/spaces']) bodyOf(await others.get(path), 200);
  }

  it('is 424 with its name for its owner, and does not affect others during or after the calls', async () => {
    const calls: Record<string, () => Promise<Answer<Refusal>>> = {
      commit: () => owner.post('/v1/nodes/upload/commit', { node_id: nodeId }),
      process: () => owner.post(`/v1/files/${fileId}/process`, {}),
    };
    for (const call of Object.values(calls)) {
      const underWay = { count: CALLS };
      const refusals = Promise.all(Array.from({ length: CALLS }, () => call().finally(() => underWay.count--)));
      do await othersAreServed();
      while (underWay.count > 0);
      for (const refusal of await refusals) {
        // More than a tenant's concurrent bucket requests is 429.
        if (refusal.status === 429) continue;
        expect(bodyOf(refusal, 424).error).toMatch(new RegExp(`bucket ${bucket.bucket} .* retry`));
      }
      expect((await refusals).map(({ body }) => body.code)).toContain('BUCKET_UNAVAILABLE');
      await othersAreServed();
    }
  });

  for (const [place, isRefused] of [
    ['when the connections service reads the object’s state', (_url: string) => true],
    ['when the worker reads by the signed URL', (url: string) => url.includes('X-Amz-Signature')],
  ] as const) {
    it(`fails a job after three attempts if it returns 503 ${place}, with its name and status`, async () => {
      const endpoint = await serve((request, response) => {
        const refused = request.method === 'GET' && isRefused(request.url ?? '');
        const head = { etag: '"abc"', 'content-length': '8', 'last-modified': new Date(0).toUTCString() };
        response.writeHead(refused ? 503 : 200, refused ? { 'retry-after': '1' } : head);
        response.end(refused || request.method === 'HEAD' ? '' : '# Report');
      });
      const keys = { bucket: 'busy-bucket', accessKeyId: 'key', secretAccessKey: 'a-secret' };
      const node_id = await initUpload(await connect(endpoint, keys), 'report.md');
      const { job_id } = await commitUpload(node_id);
      const { status, attempts, error } = await owner.waitForJob(job_id);
      expect([status, attempts, error?.code]).toStrictEqual(['failed', 3, 'provider_unavailable']);
      expect(error?.message ?? '').toMatch(/busy-bucket .*503/);
    });
  }
});
