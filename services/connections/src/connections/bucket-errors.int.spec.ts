// Real: Postgres, sockets on loopback, the S3 client. Faked: the bucket, whose endpoint answers as each test says.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeId, type CallContext } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import { startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

/** Longer than the SDK's own three attempts take, on a busy machine. */
const PATIENT_MS = 60_000;
const SHORT_MS = 2_000;

describe('a connected bucket that fails', () => {
  let kiln: SyncsHarness;
  let answer: RequestListener;
  let requests = 0;
  let deadlineMs: number;
  const server = createServer((request, response) => {
    requests++;
    answer(request, response);
  });
  let endpoint: string;
  let tenantId: string;
  let connectionId: string;

  beforeAll(async () => {
    kiln = await startSyncs();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(async () => {
    requests = 0;
    deadlineMs = PATIENT_MS;
    tenantId = uuidv7();
    const credentials = { access_key_id: 'key', secret_access_key: 'a-secret', endpoint };
    const bucket = { provider: 'selfhost_s3' as const, name: 'Theirs', bucket: 'their-documents', credentials };
    connectionId = await kiln.connect(tenantId, bucket);
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await kiln.close();
  });

  const context = (): CallContext => ({ ...contextOf(tenantId), deadlineAt: Date.now() + deadlineMs });
  const connection_id = () => encodeId('connection', connectionId);
  const preview = () => kiln.preview.execute({ connection_id: connection_id() }, context());
  const calls: Record<string, () => Promise<unknown>> = {
    statObjects: () => kiln.openObjects.stat({ connection_id: connection_id(), paths: ['a.txt'] }, context()),
    openObject: () => {
      const object = { path: 'a.txt', filename: 'a.txt', claimed_type: null };
      return kiln.openObjects.open({ connection_id: connection_id(), ...object }, context());
    },
    previewSync: preview,
    browseConnection: () => kiln.browse.browse({ id: connection_id(), limit: 10 }, context()),
    commitNodeUpload: async () => {
      const upload = { connection_id: connection_id(), path: 'a.txt', node_id: encodeId('node', uuidv7()) };
      const { node_id } = await kiln.uploadNode.init(upload, context());
      return kiln.uploadNode.commit({ node_id }, context());
    },
  };

  for (const [operation, ask] of Object.entries(calls)) {
    it(`makes ${operation} return BUCKET_UNAVAILABLE with the bucket's name, the provider's status and what to do`, async () => {
      answer = (_request, response) => response.writeHead(503, { 'retry-after': '7' }).end();
      await expect(ask).rejects.toMatchObject({
        code: 'BUCKET_UNAVAILABLE',
        status: 424,
        message: expect.stringMatching(/bucket their-documents .* 503.* retry/),
        retryAfterSeconds: 7,
      });
    });

    it(`makes ${operation} return BUCKET_UNAVAILABLE before its caller's deadline when it does not answer`, async () => {
      deadlineMs = SHORT_MS;
      answer = () => undefined;
      // On a busy machine a call may expire before it has asked the bucket.
      await eventually(async () => {
        deadlineMs *= 2;
        await expect(ask).rejects.toMatchObject({
          code: 'BUCKET_UNAVAILABLE',
          message: expect.stringMatching(/their-documents .* in time/),
        });
      });
    });
  }

  it('that refuses one object does not hide the others', async () => {
    const statuses: Record<string, number> = { 'denied.txt': 403, 'encrypted.txt': 400, 'missing.txt': 404 };
    answer = ({ url = '' }, response) => {
      const status = statuses[url.split('/').at(-1) ?? ''] ?? 200;
      const object = { etag: '"abc"', 'content-length': '8', 'last-modified': new Date(0).toUTCString() };
      response.writeHead(status, status === 200 ? object : {}).end();
    };
    const paths = ['a.txt', ...Object.keys(statuses), 'b.txt'];
    const { objects } = await kiln.openObjects.stat({ connection_id: connection_id(), paths }, context());
    const found = { etag: expect.stringContaining('abc'), size_bytes: 8 };
    expect(objects).toStrictEqual([found, null, null, null, found]);
  });

  it('returns BUCKET_UNAVAILABLE when the connection breaks in the middle of an object', async () => {
    answer = (request, response) => {
      response.writeHead(200, {
        etag: '"abc"',
        'content-length': '100000',
        'last-modified': new Date(0).toUTCString(),
      });
      response.write('the first bytes', () => request.socket.resetAndDestroy());
    };
    await expect(calls['openObject']).rejects.toMatchObject({ code: 'BUCKET_UNAVAILABLE' });
  });

  it('gets a limited number of requests of one tenant at a time, and other tenants are not delayed', async () => {
    const fail: RequestListener = (_request, response) => response.writeHead(503).end();
    const held: (() => void)[] = [];
    answer = (request, response) => void held.push(() => fail(request, response));
    const waiting = Array.from({ length: 9 }, preview);
    const outcomes = Promise.allSettled(waiting);
    await eventually(() => requests >= 8);
    tenantId = uuidv7();
    const other = await kiln.connect(tenantId, {
      provider: 'selfhost_s3',
      name: 'Others',
      bucket: 'others',
      credentials: { access_key_id: 'key', secret_access_key: 'a-secret', endpoint },
    });
    answer = fail;
    await expect(
      kiln.preview.execute({ connection_id: encodeId('connection', other) }, { ...context(), tenantId }),
    ).rejects.toMatchObject({ code: 'BUCKET_UNAVAILABLE', message: expect.stringMatching(/others/) });
    for (const end of held) end();
    const codes = (await outcomes).map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'none'));
    expect(codes.filter((code) => code === 'RATE_LIMITED').length).toStrictEqual(1);
  });
});
