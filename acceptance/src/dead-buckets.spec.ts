// Buckets that are gone, from the outside: whoever connected them hears why, and no other caller notices. The suite launches a system
// of its own, since a bucket on loopback has to be allowed.
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { startForeignBucket, type ForeignBucket } from './support/foreign-bucket.js';
import { KilnClient } from './support/kiln-client.js';
import { newKey, newOrganization } from './support/operator.config.js';

interface Refusal {
  error: string;
  code: string;
}

/** Enough to open a circuit, if such answers counted. */
const CALLS = 10;

describe('a connected bucket that is gone', () => {
  let system: RunningSystem;
  let bucket: ForeignBucket;
  let owner: KilnClient;
  let others: KilnClient;
  let fileId: string;
  let nodeId: string;
  const servers: Server[] = [];

  before(async () => {
    bucket = await startForeignBucket();
    system = await startSystem({ environment: { KILN_OUTBOUND_ALLOW: '127.0.0.1' } });
    owner = await KilnClient.of(system.baseUrl, system.apiKey);
    const organization = await newOrganization(system.dataDir, 'enterprise');
    others = await KilnClient.of(system.baseUrl, await newKey(system.dataDir, organization));
    const connection_id = await connect(bucket.endpoint, bucket);
    await bucket.put('report.md', '# Report');
    nodeId = await initUpload(connection_id, 'report.md');
    const { status, body } = await owner.post<{ file_id: string; job_id: string }>('/v1/nodes/upload/commit', {
      node_id: nodeId,
    });
    assert.equal(status, 200, JSON.stringify(body));
    fileId = body.file_id;
    await owner.waitForJob(body.job_id);
    nodeId = await initUpload(connection_id, 'next.md');
    await bucket.stop();
  });
  after(async () => {
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
    const { status, body } = await owner.post<{ id: string }>('/v1/connections', {
      provider: 'selfhost_s3',
      name: 'Theirs',
      bucket: keys.bucket,
      credentials: { access_key_id: keys.accessKeyId, secret_access_key: keys.secretAccessKey, endpoint },
    });
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  }
  async function initUpload(connection_id: string, path: string): Promise<string> {
    const { status, body } = await owner.post<{ node_id: string }>('/v1/nodes/upload/init', { connection_id, path });
    assert.equal(status, 200, JSON.stringify(body));
    return body.node_id;
  }

  it('answers its owner 424 with its name, and shuts nothing for others, while the calls go on and after them', async () => {
    const calls: Record<string, () => Promise<{ status: number; body: Refusal }>> = {
      commit: () => owner.post('/v1/nodes/upload/commit', { node_id: nodeId }),
      process: () => owner.post(`/v1/files/${fileId}/process`, {}),
    };
    for (const [name, call] of Object.entries(calls)) {
      const underWay = { count: CALLS };
      const refusals = Promise.all(Array.from({ length: CALLS }, () => call().finally(() => underWay.count--)));
      do {
        for (const path of ['/v1/connections', '/v1/files', '/v1/spaces']) {
          assert.equal((await others.get(path)).status, 200, `${path} beside ${name}`);
        }
      } while (underWay.count > 0);
      for (const { status, body } of await refusals) {
        // More than a tenant may ask its buckets at once is 429.
        assert.ok(status === 424 || status === 429, `${name}: ${status} ${JSON.stringify(body)}`);
        if (status === 424) assert.match(body.error, new RegExp(`bucket ${bucket.bucket} .* retry`));
      }
      assert.ok((await refusals).some(({ body }) => body.code === 'BUCKET_UNAVAILABLE'));
      for (const path of ['/v1/connections', '/v1/files', '/v1/spaces']) {
        assert.equal((await others.get(path)).status, 200, `${path} after ${name}`);
      }
    }
  });

  for (const [place, isRefused] of [
    ['when the connections service looks at the object', (_url: string) => true],
    ['when the worker reads by the signed URL', (url: string) => url.includes('X-Amz-Signature')],
  ] as const) {
    it(`fails a job after three attempts when it answers 503 ${place}, with its name and status`, async () => {
      const endpoint = await serve((request, response) => {
        const refused = request.method === 'GET' && isRefused(request.url ?? '');
        const head = { etag: '"abc"', 'content-length': '8', 'last-modified': new Date(0).toUTCString() };
        response.writeHead(refused ? 503 : 200, refused ? { 'retry-after': '1' } : head);
        response.end(refused || request.method === 'HEAD' ? '' : '# Report');
      });
      const keys = { bucket: 'busy-bucket', accessKeyId: 'key', secretAccessKey: 'a-secret' };
      const node_id = await initUpload(await connect(endpoint, keys), 'report.md');
      const { status, body } = await owner.post<{ job_id: string }>('/v1/nodes/upload/commit', { node_id });
      assert.equal(status, 200, JSON.stringify(body));
      const { status: outcome, attempts, error } = await owner.waitForJob(body.job_id);
      assert.deepEqual([outcome, attempts, error?.code], ['failed', 3, 'provider_unavailable']);
      assert.match(error?.message ?? '', /busy-bucket .*503/);
    });
  }
});
