// Real: gateway process, Postgres, NATS, Redis, object store. FAKES: the files, jobs and search services (responders on the
// real bus, see test/fake-services.ts). Grouped by status; every answer is checked against /openapi.json.
import { encodeId, filesOperations, jobsOperations, searchOperations, unavailable } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { CheckedResponses } from '@kiln/openapi-check';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { FakeServices } from '../test/fake-services.js';
import { GatewayProcess, TEST_KEY, testSurroundings, type TestSurroundings } from '../test/gateway-process.js';

const UNKNOWN_UUID = '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a99';
const unknownFile = encodeId('file', UNKNOWN_UUID);
const unknownJob = encodeId('job', UNKNOWN_UUID);

describe('the API', () => {
  let surroundings: TestSurroundings;
  let fakes: FakeServices;
  let gateway: GatewayProcess;
  let responses: CheckedResponses;

  before(async () => {
    surroundings = await testSurroundings();
    fakes = new FakeServices(surroundings.infrastructure.natsUrl, surroundings.namespace);
    await fakes.start();
    gateway = await GatewayProcess.start(surroundings, { KILN_RATE_LIMIT_BURST: '1000', KILN_RATE_LIMIT_RPS: '1000' });
    responses = await CheckedResponses.of(gateway.url);
  });
  beforeEach(() => fakes.reset());
  after(async () => {
    await gateway.stop();
    await fakes.stop();
    surroundings.store.close();
    await surroundings.database.drop();
  });

  async function ask(method: string, path: string, init: RequestInit = {}) {
    const response = await gateway.fetch(path, { method, ...init });
    const body = await responses.check(method, path, response);
    return { status: response.status, headers: response.headers, body };
  }

  const json = (body: unknown): RequestInit => ({
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

  async function refusal(status: number, method: string, path: string, init: RequestInit = {}): Promise<string> {
    const answer = await ask(method, path, init);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.equal(answer.body['requestId'], answer.headers.get('x-request-id'));
    return String(answer.body['error']);
  }

  async function newFile(): Promise<{ id: string; job_id: string }> {
    const { status, body } = await ask('POST', '/v1/upload', json({ filename: 'a.pdf' }));
    assert.equal(status, 201);
    return body as { id: string; job_id: string };
  }

  describe('200', () => {
    it('tells who the key stands for', async () => {
      const { body } = await ask('GET', '/v1/me');
      assert.match(String(body['org_id']), /^org_/);
      assert.deepEqual(
        { ...body, org_id: '' },
        { org_id: '', auth_type: 'api_key', key_name: 'bootstrap', scopes: ['*'] },
      );
    });

    it('reads files, jobs and search from the services that own them, as the tenant of the key', async () => {
      const { id, job_id } = await newFile();
      assert.equal((await ask('GET', `/v1/files/${id}`)).body['id'], id);
      assert.equal((await ask('GET', `/v1/jobs/${job_id}`)).body['file_id'], id);
      assert.ok(Array.isArray((await ask('GET', '/v1/files')).body['files']));
      const search = await ask('POST', '/v1/search', json({ query: ' hello ', unknown_field: 1 }));
      assert.deepEqual(search.body, { results: [], total: 0, query: 'hello', mode: 'hybrid' });
      const [first, ...others] = fakes.calls.map(({ context }) => context);
      assert.match(String(first?.principal), /^key_/);
      for (const context of others) assert.equal(context.tenantId, first?.tenantId);
    });

    it('passes query parameters on as the operation wants them', async () => {
      await ask('GET', '/v1/files?limit=7&sort_by=filename&metadata.department=legal&metadata.a%20b=c&unknown=1');
      const [call] = fakes.callsOf(filesOperations.listFiles);
      assert.deepEqual(call?.input, {
        limit: 7,
        sort_by: 'filename',
        sort_order: 'desc',
        metadata: { department: 'legal', 'a b': 'c' },
      });
    });

    it('carries the request id and the trace of the caller over the bus', async () => {
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      const { headers } = await ask('GET', '/v1/files', { headers: { 'x-request-id': 'my-own-id', traceparent } });
      assert.equal(headers.get('x-request-id'), 'my-own-id');
      const [call] = fakes.callsOf(filesOperations.listFiles);
      assert.equal(call?.context.requestId, 'my-own-id');
      assert.equal(call?.context.traceparent, traceparent);
      assert.ok((call?.context.deadlineAt ?? 0) <= Date.now() + filesOperations.listFiles.timeoutMs);
    });

    it('inlines the content of variants up to 1 MiB, as text or as a data URI, and never shows where it lies', async () => {
      const { id } = await newFile();
      const tenantId = fakes.calls[0]?.context.tenantId ?? '';
      const markdown = { id: encodeId('variant', UNKNOWN_UUID), file_id: id, type: 'markdown', size_bytes: 4 } as const;
      const key = fakes.addVariant(tenantId, { ...markdown, content_type: 'text/markdown' });
      await surroundings.store.put(key, '# ü', { contentType: 'text/markdown' });
      const picture = { ...markdown, type: 'thumbnails', content_type: 'image/webp' } as const;
      await surroundings.store.put(fakes.addVariant(tenantId, picture), Buffer.from([1, 2, 3]), {
        contentType: 'image/webp',
      });
      fakes.addVariant(tenantId, {
        ...markdown,
        type: 'embeddings',
        content_type: 'application/json',
        size_bytes: 1_048_577,
      });

      const one = await ask('GET', `/v1/files/${id}/variants/markdown`);
      assert.equal(one.body['content'], '# ü');
      const { body } = await ask('GET', `/v1/files/${id}/variants`);
      const variants = body['variants'] as Record<string, unknown>[];
      const contents = variants.map(({ type, content }) => [type, content]);
      assert.deepEqual(contents, [
        ['markdown', '# ü'],
        ['thumbnails', 'data:image/webp;base64,AQID'],
        ['embeddings', null],
      ]);
      for (const variant of [one.body, ...variants]) {
        assert.ok(!('content_key' in variant));
        assert.ok(variant['content_url']);
      }
    });

    it('serves the documentation from its own disk under a strict policy', async () => {
      const page = await fetch(`${gateway.url}/docs`);
      const html = await page.text();
      assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'/);
      assert.doesNotMatch(html, /https?:\/\//);
      const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
      assert.equal(assets.length, 4);
      for (const asset of assets) {
        const response = await fetch(`${gateway.url}${asset}`);
        assert.equal(response.status, 200, asset);
        assert.ok((await response.arrayBuffer()).byteLength > 0);
        assert.match(response.headers.get('content-type') ?? '', /css|javascript|png/);
      }
    });

    it('tells that it lives and is ready', async () => {
      assert.deepEqual((await ask('GET', '/livez')).body, { status: 'ok' });
      const { checks } = (await ask('GET', '/readyz')).body;
      assert.deepEqual(checks, { database: 'ok', bus: 'ok', object_store: 'ok', redis: 'ok' });
    });
  });

  describe('400', () => {
    it('names the path of what is wrong in a body', async () => {
      assert.match(await refusal(400, 'POST', '/v1/search', json({ query: 5 })), /^query: /);
      assert.match(
        await refusal(400, 'POST', '/v1/search', json({ query: 'a', metadata: { b: 1 } })),
        /^metadata\.b: /,
      );
      assert.match(await refusal(400, 'POST', '/v1/search', json({})), /^query: /);
      assert.match(await refusal(400, 'POST', '/v1/upload', json({ filename: '../x' })), /^filename: /);
      for (const [path, body] of [
        ['/v1/search', '{"query":"a","metadata":{"__proto__":"x"}}'],
        ['/v1/upload', '{"filename":"a","metadata":{"__proto__":"x"}}'],
      ] as const) {
        assert.match(await refusal(400, 'POST', path, json(body)), /^metadata\.__proto__: /);
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
        assert.match(await refusal(400, 'GET', `/v1/files?${query}`), new RegExp(`^${name}: `), query);
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
      assert.deepEqual([...answers], ['The resource does not exist.']);
    });

    it('is the answer to an unknown path, with or without a key', async () => {
      await refusal(404, 'GET', '/v1/nothing');
      assert.equal((await fetch(`${gateway.url}/v1/nothing`)).status, 404);
      assert.equal((await fetch(`${gateway.url}/V1/me`)).status, 404);
    });
  });

  describe('405', () => {
    it('lists in Allow what is possible', async () => {
      const { status, headers } = await ask('DELETE', '/v1/search');
      assert.equal(status, 405);
      assert.equal(headers.get('allow'), 'POST');
      assert.equal((await ask('PUT', `/v1/jobs/${unknownFile}`)).headers.get('allow'), 'GET, HEAD');
    });
  });

  describe('413', () => {
    it('is the answer to a JSON body above 1 MiB', async () => {
      await refusal(413, 'POST', '/v1/search', json({ query: 'x'.repeat(1_048_576) }));
    });
  });

  describe('5xx', () => {
    it('is 503 with Retry-After when a service says so, is silent, or is not there', async () => {
      fakes.override(jobsOperations.getJob, () => Promise.reject(unavailable('The jobs service')));
      const { status, headers } = await ask('GET', `/v1/jobs/${unknownJob}`);
      assert.deepEqual([status, headers.get('retry-after')], [503, '1']);

      fakes.override(jobsOperations.getJob, () => new Promise(() => undefined));
      const startedAt = Date.now();
      await refusal(503, 'GET', `/v1/jobs/${unknownJob}`);
      assert.ok(Date.now() - startedAt < jobsOperations.getJob.timeoutMs + 2_000);

      await fakes.stop();
      await refusal(503, 'POST', '/v1/search', json({ query: 'x' }));
      await fakes.start();
    });

    it('is 500 without a word of the cause when a service breaks', async () => {
      fakes.override(searchOperations.search, () => Promise.reject(new Error('password=hunter2 at db.ts:5')));
      const message = await refusal(500, 'POST', '/v1/search', json({ query: 'x' }));
      assert.doesNotMatch(message, /hunter2|db\.ts/);
    });
  });

  describe('every answer', () => {
    it('carries the security headers and a request id, and does not tell what made it', async () => {
      for (const path of ['/livez', '/v1/me', '/v1/nothing', '/docs']) {
        const { headers } = await gateway.fetch(path);
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        assert.equal(headers.get('x-frame-options'), 'DENY');
        assert.equal(headers.get('referrer-policy'), 'no-referrer');
        assert.ok(headers.get('x-request-id'));
        assert.ok(headers.get('content-security-policy'));
        for (const absent of ['server', 'x-powered-by', 'strict-transport-security', 'access-control-allow-origin']) {
          assert.equal(headers.get(absent), null, `${path} ${absent}`);
        }
      }
    });

    it('is logged once, with the route and the key id, never the key', async () => {
      const requestId = 'to-be-found-in-the-log';
      await ask('GET', `/v1/files/${unknownFile}`, { headers: { 'x-request-id': requestId } });
      const lines = () => gateway.logs.filter((line) => line['requestId'] === requestId && line['msg'] === 'request');
      await eventually(() => lines().length > 0);
      await ask('GET', '/livez'); // A second line of the same request would be out before this one's.
      const [line, ...others] = lines();
      assert.deepEqual(others, []);
      assert.deepEqual([line?.['method'], line?.['route'], line?.['status']], ['GET', '/v1/files/:id', 404]);
      assert.match(String(line?.['principal']), /^key_/);
      assert.ok(!JSON.stringify(gateway.logs).includes(TEST_KEY));
    });

    it('is counted by route and status', async () => {
      const metrics = await (await fetch(`${gateway.healthUrl}/metrics`)).text();
      assert.match(metrics, /kiln_http_request_seconds_count\{[^}]*route="getMe",method="GET",status="200"[^}]*\} \d+/);
      assert.doesNotMatch(metrics, /file_0/);
    });
  });

  it('was held against the document in a success of each of these eight routes', () => {
    const successes = [...responses.seen].filter((seen) => / 20[01]$/.test(seen)).map((seen) => seen.split(' ')[0]);
    for (const name of ['upload', 'listFiles', 'getFile', 'listVariants', 'getVariant', 'getJob', 'search', 'getMe']) {
      assert.ok(successes.includes(name), name);
    }
  });
});
