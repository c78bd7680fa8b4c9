// Real: gateway process, Postgres, NATS, Redis, object store. FAKES: the files, jobs and search services (responders on the
// real bus, see test/fake-services.ts). Grouped by status; every answer is checked against /openapi.json.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeId, filesOperations, jobsOperations, searchOperations, unavailable } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { assertStatus } from '@kiln/openapi-check/assert-status';
import { TEST_KEY } from '../test/gateway-process.js';
import { ServedGateway } from '../test/served-gateway.js';

const UNKNOWN_UUID = '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a99';
const unknownFile = encodeId('file', UNKNOWN_UUID);
const unknownJob = encodeId('job', UNKNOWN_UUID);

describe('the API', () => {
  let gateway: ServedGateway;

  beforeAll(async () => {
    gateway = await ServedGateway.start({ KILN_RATE_LIMIT_BURST: '1000', KILN_RATE_LIMIT_RPS: '1000' });
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.stop());

  async function ask(method: string, path: string, init: RequestInit = {}) {
    const response = await gateway.process.fetch(path, { method, ...init });
    const body = await gateway.responses.check(method, path, response);
    return { status: response.status, headers: response.headers, body };
  }

  const json = (body: unknown): RequestInit => ({
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

  async function refusal(status: number, method: string, path: string, init: RequestInit = {}): Promise<string> {
    const answer = await ask(method, path, init);
    assertStatus(answer, status, `${method} ${path}`);
    expect(answer.body['requestId']).toBe(answer.headers.get('x-request-id'));
    return String(answer.body['error']);
  }

  async function newFile(): Promise<{ id: string; job_id: string }> {
    const { status, body } = await ask('POST', '/v1/upload', json({ filename: 'a.pdf' }));
    expect(status).toBe(201);
    return body as { id: string; job_id: string };
  }

  describe('200', () => {
    it('returns the owner, name and scopes of the key', async () => {
      const { body } = await ask('GET', '/v1/me');
      expect(String(body['org_id'])).toMatch(/^org_/);
      expect({ ...body, org_id: '' }).toStrictEqual({
        org_id: '',
        auth_type: 'api_key',
        key_name: 'bootstrap',
        scopes: ['*'],
      });
    });

    it('reads files, jobs and search from the services that own them, as the tenant of the key', async () => {
      const { id, job_id } = await newFile();
      expect((await ask('GET', `/v1/files/${id}`)).body['id']).toBe(id);
      expect((await ask('GET', `/v1/jobs/${job_id}`)).body['file_id']).toBe(id);
      expect(Array.isArray((await ask('GET', '/v1/files')).body['files'])).toBe(true);
      const search = await ask('POST', '/v1/search', json({ query: ' hello ', unknown_field: 1 }));
      expect(search.body).toStrictEqual({ results: [], total: 0, query: 'hello', mode: 'hybrid' });
      const [first, ...others] = gateway.fakes.calls.map(({ context }) => context);
      expect(String(first?.principal)).toMatch(/^key_/);
      for (const context of others) expect(context.tenantId).toBe(first?.tenantId);
    });

    it('passes query parameters on as the operation wants them', async () => {
      await ask('GET', '/v1/files?limit=7&sort_by=filename&metadata.department=legal&metadata.a%20b=c&unknown=1');
      const [call] = gateway.fakes.callsOf(filesOperations.listFiles);
      expect(call?.input).toStrictEqual({
        limit: 7,
        sort_by: 'filename',
        sort_order: 'desc',
        metadata: { department: 'legal', 'a b': 'c' },
      });
    });

    it('carries the request id and the trace of the caller over the bus', async () => {
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      const { headers } = await ask('GET', '/v1/files', { headers: { 'x-request-id': 'my-own-id', traceparent } });
      expect(headers.get('x-request-id')).toBe('my-own-id');
      const [call] = gateway.fakes.callsOf(filesOperations.listFiles);
      expect(call?.context.requestId).toBe('my-own-id');
      expect(call?.context.traceparent).toBe(traceparent);
      expect(call?.context.deadlineAt ?? 0).toBeLessThanOrEqual(Date.now() + filesOperations.listFiles.timeoutMs);
    });

    it('inlines the content of variants up to 1 MiB, as text or as a data URI, and never shows where it lies', async () => {
      const { id } = await newFile();
      const tenantId = gateway.fakes.calls[0]?.context.tenantId ?? '';
      const markdown = { id: encodeId('variant', UNKNOWN_UUID), file_id: id, type: 'markdown', size_bytes: 4 } as const;
      const key = gateway.fakes.addVariant(tenantId, { ...markdown, content_type: 'text/markdown' });
      await gateway.surroundings.store.put(key, '# ü', { contentType: 'text/markdown' });
      const picture = { ...markdown, type: 'thumbnails', content_type: 'image/webp' } as const;
      await gateway.surroundings.store.put(gateway.fakes.addVariant(tenantId, picture), Buffer.from([1, 2, 3]), {
        contentType: 'image/webp',
      });
      gateway.fakes.addVariant(tenantId, {
        ...markdown,
        type: 'embeddings',
        content_type: 'application/json',
        size_bytes: 1_048_577,
      });

      const one = await ask('GET', `/v1/files/${id}/variants/markdown`);
      expect(one.body['content']).toBe('# ü');
      const { body } = await ask('GET', `/v1/files/${id}/variants`);
      const variants = body['variants'] as Record<string, unknown>[];
      const contents = variants.map(({ type, content }) => [type, content]);
      expect(contents).toStrictEqual([
        ['markdown', '# ü'],
        ['thumbnails', 'data:image/webp;base64,AQID'],
        ['embeddings', null],
      ]);
      for (const variant of [one.body, ...variants]) {
        expect(variant).not.toHaveProperty(['content_key']);
        expect(variant['content_url']).toBeTruthy();
      }
    });

    it('serves the documentation from its own disk under a strict policy', async () => {
      const page = await fetch(`${gateway.process.url}/docs`);
      const html = await page.text();
      expect(page.headers.get('content-security-policy') ?? '').toMatch(/default-src 'none'; script-src 'self'/);
      expect(html).not.toMatch(/https?:\/\//);
      const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
      expect(assets).toHaveLength(4);
      for (const asset of assets) {
        const response = await fetch(`${gateway.process.url}${asset}`);
        assertStatus(response, 200, asset);
        expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
        expect(response.headers.get('content-type') ?? '').toMatch(/css|javascript|png/);
      }
    });

    it('reports liveness and readiness', async () => {
      expect((await ask('GET', '/livez')).body).toStrictEqual({ status: 'ok' });
      const checks = { database: 'ok', bus: 'ok', object_store: 'ok', events: 'ok', redis: 'ok' };
      await eventually(async () => expect((await ask('GET', '/readyz')).body['checks']).toStrictEqual(checks));
    });
  });

  describe('400', () => {
    it('names the path of what is wrong in a body', async () => {
      expect(await refusal(400, 'POST', '/v1/search', json({ query: 5 }))).toMatch(/^query /);
      expect(await refusal(400, 'POST', '/v1/search', json({ query: 'a', metadata: { b: 1 } }))).toMatch(
        /^metadata\.b /,
      );
      expect(await refusal(400, 'POST', '/v1/search', json({}))).toMatch(/^query /);
      expect(await refusal(400, 'POST', '/v1/upload', json({ filename: '../x' }))).toMatch(/^filename /);
      for (const [path, body] of [
        ['/v1/search', '{"query":"a","metadata":{"__proto__":"x"}}'],
        ['/v1/upload', '{"filename":"a","metadata":{"__proto__":"x"}}'],
      ] as const) {
        expect(await refusal(400, 'POST', path, json(body))).toMatch(/^metadata\.__proto__ /);
      }
      await refusal(400, 'POST', '/v1/search', json([]));
      await refusal(400, 'POST', '/v1/search', json('null'));
    });

    it('names the query parameter that is wrong', async () => {
      for (const [query, name] of [
        ['limit=0', 'limit'],
        ['limit=201', 'limit'],
        ['limit=abc', 'limit'],
        ['limit=1&limit=2', 'limit'],
        ['limit=0x10', 'limit'],
        ['limit=1e2', 'limit'],
        ['limit=%2B5', 'limit'],
        ['limit=%205', 'limit'],
        ['status=nope', 'status'],
        ['sort_by=size', 'sort_by'],
        ['space=a/b', 'space'],
      ]) {
        expect(await refusal(400, 'GET', `/v1/files?${query}`)).toMatch(new RegExp(`^${name} `));
      }
    });

    it('is the answer to a missing, malformed or mislabelled JSON body', async () => {
      await refusal(400, 'POST', '/v1/search');
      await refusal(400, 'POST', '/v1/search', json('{'));
      await refusal(400, 'POST', '/v1/search', { body: '{"query":"x"}', headers: { 'content-type': 'text/plain' } });
      await refusal(400, 'POST', '/v1/search', {
        ...json({ query: 'x' }),
        headers: { 'content-type': 'application/json; charset=iso-8859-1' },
      });
      await refusal(400, 'POST', '/v1/upload', { body: 'x', headers: { 'content-type': 'application/pdf' } });
    });
  });

  describe('404', () => {
    it('is one answer for ids that are unknown, malformed or of another kind', async () => {
      const answers = new Set<string>();
      for (const path of [
        `/v1/files/${unknownFile}`,
        `/v1/files/${unknownJob}`,
        '/v1/files/x',
        `/v1/files/${unknownFile.toUpperCase()}`,
        '/v1/files/%ff',
        '/v1/files/%00',
        `/v1/jobs/${unknownJob}`,
        `/v1/jobs/${unknownFile}`,
        `/v1/files/${unknownFile}/variants`,
        `/v1/files/${unknownFile}/variants/markdown`,
        `/v1/files/${unknownFile}/variants/video`,
      ]) {
        answers.add(await refusal(404, 'GET', path));
      }
      expect([...answers]).toStrictEqual(['The resource does not exist.']);
    });

    it('is the answer to an unknown path, with or without a key', async () => {
      await refusal(404, 'GET', '/v1/nothing');
      expect((await fetch(`${gateway.process.url}/v1/nothing`)).status).toBe(404);
      expect((await fetch(`${gateway.process.url}/V1/me`)).status).toBe(404);
    });
  });

  describe('405', () => {
    it('lists in Allow what is possible', async () => {
      const { status, headers } = await ask('DELETE', '/v1/search');
      expect(status).toBe(405);
      expect(headers.get('allow')).toBe('POST');
      expect((await ask('PUT', `/v1/jobs/${unknownFile}`)).headers.get('allow')).toBe('GET, HEAD');
    });
  });

  describe('413', () => {
    it('is the answer to a JSON body above 1 MiB', async () => {
      await refusal(413, 'POST', '/v1/search', json({ query: 'x'.repeat(1_048_576) }));
    });
  });

  describe('5xx', () => {
    it('is 503 with Retry-After when a service says so, is silent, or is not there', async () => {
      gateway.fakes.override(jobsOperations.getJob, () => Promise.reject(unavailable('The jobs service')));
      const { status, headers } = await ask('GET', `/v1/jobs/${unknownJob}`);
      expect([status, headers.get('retry-after')]).toStrictEqual([503, '1']);

      gateway.fakes.override(jobsOperations.getJob, () => new Promise(() => undefined));
      await refusal(503, 'GET', `/v1/jobs/${unknownJob}`);

      await gateway.fakes.stop();
      await refusal(503, 'POST', '/v1/search', json({ query: 'x' }));
      await gateway.fakes.start();
    });

    it('is 500 without a word of the cause when a service breaks', async () => {
      gateway.fakes.override(searchOperations.search, () => Promise.reject(new Error('password=hunter2 at db.ts:5')));
      const message = await refusal(500, 'POST', '/v1/search', json({ query: 'x' }));
      expect(message).not.toMatch(/hunter2|db\.ts/);
    });
  });

  describe('every answer', () => {
    it('carries the security headers and a request id, and does not name the server software', async () => {
      for (const path of ['/livez', '/v1/me', '/v1/nothing', '/docs']) {
        const { headers } = await gateway.process.fetch(path);
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('x-frame-options')).toBe('DENY');
        expect(headers.get('referrer-policy')).toBe('no-referrer');
        expect(headers.get('x-request-id')).toBeTruthy();
        expect(headers.get('content-security-policy')).toBeTruthy();
        const unwanted = ['server', 'x-powered-by', 'strict-transport-security', 'access-control-allow-origin'];
        expect(unwanted.filter((name) => headers.has(name))).toStrictEqual([]);
      }
    });

    it('is logged once, with the route, the key id and the trace of the caller, never the key', async () => {
      const requestId = 'to-be-found-in-the-log';
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      await ask('GET', `/v1/files/${unknownFile}`, { headers: { 'x-request-id': requestId, traceparent } });
      const lines = () =>
        gateway.process.logs.filter((line) => line['requestId'] === requestId && line['msg'] === 'request');
      await eventually(() => lines().length > 0);
      await ask('GET', '/livez'); // A second line of the same request would be out before this one's.
      const [line, ...others] = lines();
      expect(others).toStrictEqual([]);
      expect([line?.['method'], line?.['route'], line?.['status']]).toStrictEqual(['GET', '/v1/files/:id', 404]);
      expect(String(line?.['principal'])).toMatch(/^key_/);
      expect(line?.['trace_id']).toBe('0af7651916cd43dd8448eb211c80319c');
      expect(JSON.stringify(gateway.process.logs)).not.toContain(TEST_KEY);
    });

    it('is counted by route and status', async () => {
      const metrics = await (await fetch(`${gateway.process.healthUrl}/metrics`)).text();
      expect(metrics).toMatch(
        /kiln_http_request_seconds_count\{[^}]*route="getMe",method="GET",status="200"[^}]*\} \d+/,
      );
      expect(metrics).not.toMatch(/file_0/);
    });
  });

  it('was held against the document in a success of each of these eight routes', () => {
    const successes = [...gateway.responses.seen]
      .filter((seen) => / 20[01]$/.test(seen))
      .map((seen) => seen.split(' ')[0]);
    for (const name of ['upload', 'listFiles', 'getFile', 'listVariants', 'getVariant', 'getJob', 'search', 'getMe']) {
      expect(successes).toContain(name);
    }
  });
});
