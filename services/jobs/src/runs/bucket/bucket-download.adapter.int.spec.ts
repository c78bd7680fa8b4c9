// Real: sockets on loopback, the embedded object store. Faked: the clock, where time is the subject.
import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { createGuardedAgent, OutboundPolicy } from '@kiln/outbound';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { testNamespace, testStorage } from '@kiln/testing';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { judge } from '../domain/failure.js';
import { BucketDownload } from './bucket-download.adapter.js';

const agentFor = (allow: string) =>
  createGuardedAgent({ policy: new OutboundPolicy({ allow }), connectTimeoutMs: 60_000, keepAliveMs: 1_000 });

describe('bytes of an external bucket', () => {
  const open = agentFor('127.0.0.1');
  const closed = agentFor('');
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  afterAll(() => Promise.all([open.destroy(), closed.destroy()]));

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
      () => {
        throw new Error('it should have failed');
      },
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
    expect([downloaded.etag, downloaded.sizeBytes]).toStrictEqual([etag, 9]);
    expect(await text(downloaded.body)).toBe('the bytes');
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
    expect(versions).toStrictEqual(['abc', '17']);
  });

  it('that are missing are a fault of the object', async () => {
    const url = await answering(404);
    await expect(reading(url)).rejects.toMatchObject({ code: 'corrupt_file' });
  });

  it('that are refused or archived fail the job at once, with a reason that is not the file', async () => {
    const refusing = (status: number, code: string) =>
      serve((_request, response) => response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`));
    for (const [status, code, expected, reason] of [
      [403, 'InvalidAccessKeyId', 'provider_unauthorized', /their-documents no longer lets Kiln read/],
      [401, 'NoAuthenticationInformation', 'provider_unauthorized', /their-documents no longer lets Kiln read/],
      [403, 'InvalidObjectState', 'provider_unavailable', /archived in the bucket their-documents/],
      [409, 'BlobArchived', 'provider_unavailable', /archived in the bucket their-documents/],
    ] as const) {
      const failure = await failureOf(reading(await refusing(status, code)));
      const error = { code: expected, message: expect.stringMatching(reason), retryable: false };
      expect(judge(failure, { failures: 0, runs: 1 })).toStrictEqual({ kind: 'fail', error });
    }
  });

  it('of a bucket that answers 503 or 429, or closes the connection, are tried three times, after Retry-After, and the error names the fault', async () => {
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
      expect(verdict).toMatchObject({ kind: 'retry', delaySecondsMin: delaySeconds });
      const last = judge(failure, { failures: 2, runs: 3 });
      const message: unknown = expect.stringMatching(reason);
      expect(last).toMatchObject({ kind: 'fail', error: { code: 'provider_unavailable', retryable: true, message } });
    }
  });

  it('that cannot be read for an error without an end fail soon, and the status of the error decides', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const url = await serve((_request, response) => {
      closed = once(response, 'close');
      response.writeHead(403).write('<Error>');
    });
    const failure = await failureOf(new BucketDownload(open, 1).open(source(url), signal));
    expect(judge(failure, { failures: 2, runs: 3 })).toMatchObject({ error: { code: 'provider_unauthorized' } });
    await closed;
  });

  describe('that arrive slowly', () => {
    /** A body that the test writes, and the clock under its control. */
    async function slowBody() {
      let answered: (response: ServerResponse) => void = () => undefined;
      const answering = new Promise<ServerResponse>((resolve) => (answered = resolve));
      const url = await serve((_request, response) => {
        response.writeHead(200, { etag: '"abc"', 'content-length': '100' }).flushHeaders();
        answered(response);
      });
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
      const { body } = await new BucketDownload(open).open(source(url), signal);
      const response = await answering;
      const failed = once(body, 'error').then(([error]: unknown[]) => error);
      body.pause();
      const arrives = async (text: string) => {
        response.write(text);
        await new Promise<void>((resolve) => body.once('readable', resolve));
        return String(body.read());
      };
      return { body, response, failed, arrives };
    }
    afterEach(() => void jest.useRealTimers());

    it('a byte each 29 s, are given up after a minute as a fault of the bucket', async () => {
      const { body, arrives, failed } = await slowBody();
      for (let bytes = 0; bytes < 2; bytes++) {
        expect(await arrives('x')).toBe('x');
        jest.advanceTimersByTime(29_000);
        expect(body.destroyed).toBe(false);
      }
      expect(await arrives('x')).toBe('x');
      jest.advanceTimersByTime(2_001);
      const message: unknown = expect.stringMatching(/their-documents sent the file too slowly/);
      const verdict = judge(await failed, { failures: 2, runs: 3 });
      expect(verdict).toMatchObject({
        kind: 'fail',
        error: { code: 'provider_unavailable', retryable: true, message },
      });
    });
  });

  it('that are abandoned before they are read leave no connection open', async () => {
    const closed: Promise<void>[] = [];
    const url = await serve((request, response) => {
      closed.push(new Promise((resolve) => void request.socket.once('close', () => resolve())));
      response.writeHead(200, { etag: '"abc"', 'content-length': '1000' }).write('the first bytes');
    });
    (await new BucketDownload(open).open(source(url), signal)).body.destroy();
    expect(closed).toHaveLength(1);
    await Promise.all(closed);
  });

  it('that workers cannot reach fail their job after three tries, with advice', async () => {
    const refused = await failureOf(reading('http://127.0.0.1:9/a.md'));
    expect(judge(refused, { failures: 1, runs: 2 }).kind).toBe('retry');
    const verdict = judge(refused, { failures: 2, runs: 3 });
    const message: unknown = expect.stringMatching(/KILN_OUTBOUND_PROXY/);
    expect(verdict).toMatchObject({ kind: 'fail', error: { code: 'provider_unavailable', retryable: true, message } });
  });

  it('are never fetched from a forbidden address, not even by a redirect', async () => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked++;
      response.writeHead(200).end('secret');
    });
    await expect(new BucketDownload(closed).open(source(url), signal)).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
    expect(asked).toBe(0);
    const redirecting = await answering(302, { location: url });
    await expect(new BucketDownload(open).open(source(redirecting), signal)).rejects.toMatchObject({
      code: 'corrupt_file',
    });
    expect(asked).toBe(0);
  });
});
