/** @slow */
// Real: gateway processes, Postgres, NATS, Redis, object store. FAKES: the files and jobs services (responders on the real
// bus, see test/fake-services.ts).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, filesOperations, searchOperations } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { exampleFile } from '../routes/shared.examples.js';
import { startFakes, type FakeServices } from '../test/fake-services.js';
import { GatewayProcess, TEST_KEY, testSurroundings, type TestSurroundings } from '../test/gateway-process.js';
import { bodyEnd, filePartHead, PIECE_BYTES, RawUpload } from '../test/raw-upload.js';

/** What pages need for the API, for its streams, and for the protocol of agents. */
const HEADERS_OF_PAGES = [
  'authorization',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
];

/** Sends these bytes and no more. Returns what came back until the connection ended. */
async function answerTo(gateway: GatewayProcess, what: string, bytes: string) {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.setEncoding('utf8').write(bytes);
  let answer = '';
  socket.on('data', (text: string) => (answer += text));
  await once(socket, 'close');
  return { what, answer };
}

describe('a gateway process', () => {
  let surroundings: TestSurroundings;
  let fakes: FakeServices;
  beforeAll(async () => {
    surroundings = await testSurroundings();
    fakes = await startFakes(surroundings);
  });
  afterAll(async () => {
    await fakes.stop();
    await surroundings.close();
  });

  it('finishes running uploads and requests on SIGTERM, accepts no new ones, and exits with 0', async () => {
    // On a busy machine the search may reach its deadline.
    await eventually(finishesOnSigterm);
  });

  async function finishesOnSigterm(): Promise<void> {
    fakes.reset();
    const gateway = await GatewayProcess.start(surroundings);
    const upload = new RawUpload(gateway.url);
    let answerSearch = () => {};
    try {
      await upload.send(filePartHead('a.bin') + 'begun');
      upload.keepSending();
      const asked = new Promise<void>((resolve) => {
        fakes.override(searchOperations.search, () => {
          resolve();
          return new Promise((answer) => {
            answerSearch = () => answer({ results: [], total: 0, query: 'x', mode: 'text' });
          });
        });
      });
      const search = gateway.post('/v1/search', { query: 'x' });
      await Promise.race([asked, search]);
      const ended = gateway.ended();
      gateway.child.kill('SIGTERM');
      await eventually(async () => {
        await expect(fetch(`${gateway.url}/livez`, { headers: { connection: 'close' } })).rejects.toThrow();
      });
      expect((await fetch(`${gateway.healthUrl}/readyz`)).status).toBe(503);
      answerSearch();
      expect((await search).status).toBe(200);
      const { status, body } = await upload.answer(`finished${bodyEnd}`);
      const ownBytes = 'begunfinished'.length;
      expect([status, (Number(body['size_bytes']) - ownBytes) % PIECE_BYTES]).toStrictEqual([201, 0]);
      expect(await ended).toBe(0);
    } finally {
      answerSearch();
      upload.cutOff();
      await gateway.stop();
    }
  }

  it('cuts what has not finished by the drain deadline, and keeps nothing of it', async () => {
    // On a busy machine a phase of the shutdown may reach its deadline.
    await eventually(async () => {
      const gateway = await GatewayProcess.start(surroundings, { KILN_DRAIN_SECONDS: '1' });
      const upload = new RawUpload(gateway.url);
      try {
        await upload.send(filePartHead('a.bin'));
        for (let piece = 0; piece < 10; piece++) await upload.send(Buffer.alloc(1024 * 1024));
        await gateway.fetch('/v1/files');
        const tenantId = fakes.callsOf(filesOperations.listFiles).at(-1)?.context.tenantId ?? '';
        const before = await surroundings.store.list(`${tenantId}/`);
        expect(await gateway.stop()).toBe(0);
        expect(await surroundings.store.list(`${tenantId}/`)).toStrictEqual(before);
        expect(gateway.logs.filter(({ msg }) => msg === 'shutdown phase failed')).toHaveLength(0);
      } finally {
        upload.cutOff();
        await gateway.stop();
      }
    });
  });

  describe('with default settings', () => {
    let gateway: GatewayProcess;
    beforeAll(async () => {
      gateway = await GatewayProcess.start(surroundings);
    });
    afterAll(async () => {
      await gateway.stop();
    });

    it('answers bytes that are no HTTP, and headers beyond 16 KiB, in the usual error shape', async () => {
      const unreadable = ['GARBAGE\r\n\r\n', `GET /livez HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`];
      for (const bytes of unreadable) {
        const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
        socket.setEncoding('utf8').write(bytes);
        let answer = '';
        socket.on('data', (text: string) => (answer += text));
        await once(socket, 'close');
        expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request/);
        expect(answer).toMatch(/\{"error":".+","code":"BAD_REQUEST","requestId":"[0-9a-f-]{36}"\}$/);
      }
    });

    const rest = 'X-Request-Id: mine\r\nConnection: close\r\n\r\n';
    it.each([
      ['no Host', 400, 'BAD_REQUEST', `GET /livez HTTP/1.1\r\n${rest}`],
      ['another Expect', 400, 'BAD_REQUEST', `GET /livez HTTP/1.1\r\nHost: a\r\nExpect: foo\r\n${rest}`],
      ['CONNECT', 405, 'METHOD_NOT_ALLOWED', `CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n${rest}`],
    ])("refuses %s in the usual error shape, with the caller's request id", async (what, status, code, bytes) => {
      const { answer } = await answerTo(gateway, what, bytes);
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(head).toMatch(/^Content-Type: application\/json; charset=utf-8\r?$/im);
      expect(head).toMatch(/^X-Request-Id: mine\r?$/im);
      expect(JSON.parse(body)).toStrictEqual({ error: expect.stringMatching(/./), code, requestId: 'mine' });
    });

    it('accepts HTTP/1.0, and Expect: 100-continue in any case', async () => {
      for (const bytes of [
        `GET /livez HTTP/1.0\r\n${rest}`,
        `GET /livez HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\n${rest}`,
      ]) {
        const { answer } = await answerTo(gateway, bytes, bytes);
        expect(answer).toMatch(/HTTP\/1\.1 200 OK[^]*\{"status":"ok"\}$/);
      }
    });

    it('ends connections that keep it waiting, and answers others meanwhile', async () => {
      const post = `POST /v1/search HTTP/1.1\r\nHost: a\r\nAuthorization: ApiKey ${TEST_KEY}\r\nContent-Type: application/json`;
      const slow = {
        'sends nothing': '',
        'stops in the request line': 'GET /v1/fi',
        'stops in its headers': 'GET /v1/files HTTP/1.1\r\nHost: a\r\nX-Sl',
        'stops in its body': `${post}\r\nContent-Length: 100\r\n\r\n{"query":`,
        'stops in a chunk': `${post}\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{"que`,
      };
      let open = Object.keys(slow).length;
      const waited = Object.entries(slow).map(([what, bytes]) => answerTo(gateway, what, bytes).finally(() => open--));
      const over = new AbortController();
      const all = Promise.all(waited).finally(() => over.abort());
      let answeredMeanwhile = 0;
      while (!over.signal.aborted) {
        expect((await gateway.fetch('/v1/me')).status).toBe(200);
        if (open === waited.length) answeredMeanwhile++;
        await delay(100);
      }
      expect(answeredMeanwhile).toBeGreaterThan(0);
      // A connection that is closed for its silence, which takes longer, gets no answer.
      for (const { what, answer } of await all) {
        const expected = what === 'sends nothing' ? /^/ : /^HTTP\/1.1 400 [^]*"code":"BAD_REQUEST"/;
        if (!expected.test(answer)) throw new Error(`a client that ${what} was answered ${JSON.stringify(answer)}`);
      }
    });

    it('refuses to start on a port that is taken, instead of saying that it is ready', async () => {
      const second = await GatewayProcess.spawn(surroundings, { KILN_PORT: new URL(gateway.url).port });
      expect(await second.ended()).toBe(1);
      expect(second.errors).toMatch(/EADDRINUSE/);
    });
  });

  it('lets pages of configured origins call it, and no others; behind https it asks for https', async () => {
    const gateway = await GatewayProcess.start(surroundings, {
      KILN_CORS_ORIGINS: 'https://app.example',
      KILN_PUBLIC_URL: 'https://api.example',
    });
    try {
      const preflight = (origin: string) =>
        fetch(`${gateway.url}/v1/search`, {
          method: 'OPTIONS',
          headers: { origin, 'access-control-request-method': 'POST' },
        });
      const allowed = await preflight('https://app.example');
      expect(allowed.status).toBe(204);
      expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example');
      const headers = (allowed.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ');
      expect(headers).toStrictEqual(expect.arrayContaining(HEADERS_OF_PAGES));
      const unknown = await fetch(`${gateway.url}/mcp`, { method: 'POST', headers: { origin: 'https://app.example' } });
      expect(unknown.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
      expect(allowed.headers.get('access-control-allow-credentials')).toBeNull();
      const refused = await preflight('https://evil.example');
      expect(refused.status).toBe(405);
      expect(refused.headers.get('access-control-allow-origin')).toBeNull();
      expect(refused.headers.get('vary')).toBe('Origin');
      expect(refused.headers.get('strict-transport-security') ?? '').toMatch(/max-age=/);
    } finally {
      await gateway.stop();
    }
  });

  it('stays ready and serves what needs no bytes while the object store does not answer, and says so', async () => {
    const gateway = await GatewayProcess.start(surroundings, { KILN_STORAGE_ENDPOINT: 'http://127.0.0.1:9' });
    try {
      await eventually(async () => {
        const response = await fetch(`${gateway.healthUrl}/readyz`);
        const { checks } = (await response.json()) as { checks: Record<string, string> };
        expect(response.status).toBe(200);
        expect(checks['object_store']).not.toBe('ok');
        expect(checks['database']).toBe('ok');
        expect((await gateway.fetch('/v1/files')).status).toBe(200);
      });
      const form = new FormData();
      form.append('file', new Blob(['x']), 'a.txt');
      const answer = await gateway.fetch('/v1/upload', { method: 'POST', body: form });
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBeTruthy();
    } finally {
      await gateway.stop();
    }
  });

  it('sends the validator of a variant with its content only, so that no cache keeps an error under it', async () => {
    const gateway = await GatewayProcess.start(surroundings, { KILN_STORAGE_ENDPOINT: 'http://127.0.0.1:9' });
    try {
      const id = encodeId('variant', uuidv7());
      const variant = {
        id,
        file_id: exampleFile.id,
        type: 'markdown',
        content_type: 'text/markdown',
        size_bytes: 4,
      } as const;
      fakes.addVariant(uuidv7(), variant);
      const response = await gateway.fetch(`/v1/files/${exampleFile.id}/variants/markdown`);
      expect(response.status).toBe(503);
      expect([response.headers.get('etag'), response.headers.get('cache-control')]).toStrictEqual([null, null]);
    } finally {
      await gateway.stop();
    }
  });
});
