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
  const source = (url: string, etagHeader = 'etag') => ({ url, etagHeader, bucket: 'their-documents' });
  const reading = async (url: string) => text((await new BucketDownload(open).open(source(url), signal)).body);
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => assert.fail('it should have failed'),
      (error: unknown) => error,
    );
  const answering = (status: number, headers: Record<string, string> = {}) =>
    serve((_request, response) => response.writeHead(status, headers).end('text'));

  it('are read by a signed URL, with their version and size', async () => {
    const objects = createS3ObjectStore({ ...(await testStorage()), forcePathStyle: true });
    await objects.ensureBucket();
    const key = `${testNamespace()}/a.md`;
    const { etag } = await objects.put(key, 'the bytes', { contentType: 'text/markdown' });
    const url = await objects.signGet(key, { expiresSeconds: 60 });
    const downloaded = await new BucketDownload(open).open(source(url), signal);
    assert.deepEqual([downloaded.etag, downloaded.sizeBytes], [etag, 9]);
    assert.equal(await text(downloaded.body), 'the bytes');
    objects.close();
  });

  it('name their version in the header that the store has for it', async () => {
    const url = await answering(200, { etag: 'W/"abc"', 'x-goog-generation': '17' });
    const versions = await Promise.all(
      ['etag', 'x-goog-generation'].map(async (header) => {
        const { etag, body } = await new BucketDownload(open).open(source(url, header), signal);
        await text(body);
        return etag;
      }),
    );
    assert.deepEqual(versions, ['abc', '17']);
  });

  it('that are gone or refused are the object’s own fault', async () => {
    for (const status of [404, 403]) {
      const url = await answering(status);
      await assert.rejects(reading(url), { code: 'corrupt_file' }, String(status));
    }
  });

  it('of a bucket that answers 503 or 429, or breaks off, are tried three times, after Retry-After, and its fault is named', async () => {
    const breakingOff = (begun: boolean) =>
      serve((request, response) => {
        if (!begun) return void request.socket.resetAndDestroy();
        response.writeHead(200, { etag: '"abc"', 'content-length': '1000' });
        response.write('the first bytes', () => request.socket.resetAndDestroy());
      });
    for (const [url, delaySeconds, reason] of [
      [await answering(503, { 'retry-after': '7' }), 7, /their-documents answered 503/],
      [await answering(429, { 'retry-after': '9' }), 9, /their-documents answered 429/],
      [await breakingOff(false), 0, /their-documents broke off/],
      [await breakingOff(true), 0, /their-documents broke off/],
    ] as const) {
      const failure = await failureOf(reading(url));
      const verdict = judge(failure, { failures: 1, runs: 2 });
      assert.ok(verdict.kind === 'retry' && verdict.delaySecondsMin === delaySeconds, String(failure));
      const last = judge(failure, { failures: 2, runs: 3 });
      assert.ok(last.kind === 'fail');
      assert.deepEqual([last.error.code, last.error.retryable], ['provider_unavailable', true]);
      assert.match(last.error.message, reason);
    }
  });

  it('that are given up before they are read leave no connection open', async () => {
    const closed: Promise<void>[] = [];
    const url = await serve((request, response) => {
      closed.push(new Promise((resolve) => void request.socket.once('close', () => resolve())));
      response.writeHead(200, { etag: '"abc"', 'content-length': '1000' }).write('the first bytes');
    });
    (await new BucketDownload(open).open(source(url), signal)).body.destroy();
    assert.equal(closed.length, 1);
    await Promise.all(closed);
  });

  it('that workers can not reach fail their job after three tries, and say what would help', async () => {
    const refused = await failureOf(reading('http://127.0.0.1:9/a.md'));
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
    await assert.rejects(new BucketDownload(closed).open(source(url), signal), { code: 'provider_unavailable' });
    assert.equal(asked, 0);
    const redirecting = await answering(302, { location: url });
    await assert.rejects(new BucketDownload(open).open(source(redirecting), signal), { code: 'corrupt_file' });
    assert.equal(asked, 0);
  });
});
