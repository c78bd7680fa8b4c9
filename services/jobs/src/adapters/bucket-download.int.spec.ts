// Real: sockets on loopback, the embedded object store. Faked: nothing.
import { createGuardedAgent, OutboundPolicy } from '@kiln/outbound';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { testNamespace, testStorage } from '@kiln/testing';
import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, afterEach, describe, it } from 'node:test';
import { judge } from '../domain/failure.js';
import { BucketDownload } from './bucket-download.js';

const agentFor = (allow: string) =>
  createGuardedAgent({ policy: new OutboundPolicy({ allow }), connectTimeoutMs: 2_000, keepAliveMs: 1_000 });

describe('bytes of a connected bucket', () => {
  const open = agentFor('127.0.0.1');
  const closed = agentFor('');
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  after(() => Promise.all([open.destroy(), closed.destroy()]));

  const signal = new AbortController().signal;
  async function serve(listener: RequestListener): Promise<string> {
    const listening = createServer(listener);
    servers.push(listening);
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/a.md`;
  }
  const answering = (status: number, headers: Record<string, string> = {}) =>
    serve((_request, response) => response.writeHead(status, headers).end('text'));

  it('are read by a signed URL, with their version and size', async () => {
    const objects = createS3ObjectStore({ ...(await testStorage()), forcePathStyle: true });
    await objects.ensureBucket();
    const key = `${testNamespace()}/a.md`;
    const { etag } = await objects.put(key, 'the bytes', { contentType: 'text/markdown' });
    const url = await objects.signGet(key, { expiresSeconds: 60 });
    const downloaded = await new BucketDownload(open).open(url, 'etag', signal);
    assert.deepEqual([downloaded.etag, downloaded.sizeBytes], [etag, 9]);
    assert.equal(await text(downloaded.body), 'the bytes');
    objects.close();
  });

  it('name their version in the header that the store has for it', async () => {
    const url = await answering(200, { etag: 'W/"abc"', 'x-goog-generation': '17' });
    const versions = await Promise.all(
      ['etag', 'x-goog-generation'].map(async (header) => {
        const { etag, body } = await new BucketDownload(open).open(url, header, signal);
        await text(body);
        return etag;
      }),
    );
    assert.deepEqual(versions, ['abc', '17']);
  });

  it('that are gone or refused are the object’s own fault; a store that is away or busy is not', async () => {
    for (const [status, code] of [
      [404, 'corrupt_file'],
      [403, 'corrupt_file'],
      [429, 'unavailable'],
      [503, 'unavailable'],
    ] as const) {
      const url = await answering(status);
      await assert.rejects(new BucketDownload(open).open(url, 'etag', signal), { code }, String(status));
    }
  });

  it('that workers can not reach fail their job after three tries, and say what would help', async () => {
    const refused = await new BucketDownload(open)
      .open('http://127.0.0.1:9/a.md', 'etag', signal)
      .catch((error: unknown) => error);
    assert.equal(judge(refused, { failures: 1, runs: 2 }).kind, 'retry');
    const verdict = judge(refused, { failures: 2, runs: 3 });
    assert.ok(verdict.kind === 'fail');
    assert.deepEqual([verdict.error.code, verdict.error.retryable], ['provider_unavailable', true]);
    assert.match(verdict.error.message, /KILN_OUTBOUND_PROXY/);
  });

  it('are not fetched from an address that is not allowed, and no redirect leads there', async () => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked++;
      response.writeHead(200).end('secret');
    });
    await assert.rejects(new BucketDownload(closed).open(url, 'etag', signal), { code: 'provider_unavailable' });
    assert.equal(asked, 0);
    const redirecting = await answering(302, { location: url });
    await assert.rejects(new BucketDownload(open).open(redirecting, 'etag', signal), { code: 'corrupt_file' });
    assert.equal(asked, 0);
  });
});
