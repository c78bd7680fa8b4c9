// Real: gateway process, object store, an HTTP server for the URLs. FAKED: the files and jobs services.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { filesOperations } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { createHash } from 'node:crypto';
import { createServer, request, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TEST_KEY } from '../test/gateway-process.js';
import { MIB, UploadGateway } from '../test/upload-gateway.js';

const LIMIT_BYTES = 9 * MIB;
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

describe('a file', () => {
  let gateway: UploadGateway;
  let source: Server;
  let base: string;
  let served: RequestListener;
  let requests: string[];
  beforeAll(async () => {
    source = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      served(request, response);
    });
    await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
    gateway = await UploadGateway.start({
      KILN_OUTBOUND_ALLOW: `127.0.0.1:${(source.address() as AddressInfo).port}`,
      KILN_MAX_UPLOAD_BYTES: String(LIMIT_BYTES),
    });
  });
  beforeEach(() => {
    gateway.fakes.reset();
    requests = [];
    served = (_request, response) => response.end('served');
  });
  afterAll(async () => {
    source.closeAllConnections();
    source.close();
    await gateway.stop();
  });

  const create = async (body: object, headers: Record<string, string> = {}) => {
    const response = await gateway.process.post('/v1/files', body, headers);
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };

  it('of a text has its bytes in UTF-8, and is registered with what the request says', async () => {
    const content = '# Käse\n\nsüß 文';
    const { status, body } = await create({ filename: 'a.md', content, metadata: { a: 'b' }, variants: ['markdown'] });
    expect(status).toBe(201);
    expect([body['status'], body['sha256']]).toStrictEqual(['uploaded', sha256(content)]);
    expect((await gateway.objectOf(body['id'] ?? ''))?.toString()).toBe(content);
    const [call] = gateway.fakes.callsOf(filesOperations.createFile);
    expect(call?.input).toMatchObject({ metadata: { a: 'b' }, variants: ['markdown'], content_type: 'text/markdown' });
    expect(call?.input).not.toHaveProperty('content');
  });

  it('of a URL has the bytes, the type and the name that its server gives', async () => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(3 * MIB, 'x')]);
    served = (_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(bytes);
    const { status, body } = await create({ url: `${base}/reports/Q1%20b.pdf?signature=secret` });
    expect(status).toBe(201);
    const known = [body['filename'], body['content_type'], body['size_bytes'], body['sha256']];
    expect(known).toStrictEqual(['Q1 b.pdf', 'application/pdf', bytes.length, sha256(bytes)]);
    expect((await gateway.objectOf(body['id'] ?? ''))?.equals(bytes)).toBe(true);
    expect(JSON.stringify(gateway.process.logs)).not.toContain('signature=secret');
  });

  it('follows redirects to addresses that may be reached, and no others', async () => {
    served = (request, response) => {
      if (request.url === '/end.txt') response.end('arrived');
      else if (request.url === '/private') response.writeHead(302, { location: 'https://169.254.169.254/x' }).end();
      else if (request.url === '/for-ever') response.writeHead(307, { location: '/for-ever' }).end();
      else response.writeHead(301, { location: './end.txt' }).end();
    };
    const arrived = await create({ url: `${base}/begin` });
    expect([arrived.status, arrived.body['filename']]).toStrictEqual([201, 'end.txt']);
    gateway.fakes.reset();
    await gateway.keepsNothing(async () => {
      const refused = await create({ url: `${base}/private`, filename: 'a' });
      expect([refused.status, refused.body['error']]).toStrictEqual([
        400,
        'url leads to a private, local or reserved address',
      ]);
      const looping = await create({ url: `${base}/for-ever`, filename: 'a' });
      expect([looping.status, looping.body['error']]).toStrictEqual([
        400,
        'url: The server redirects more than 5 times.',
      ]);
    });
  });

  it.each([
    ['answers 404', 404, 400, 'BAD_REQUEST'],
    ['answers 500', 500, 424, 'SOURCE_UNAVAILABLE'],
    ['answers 429', 429, 424, 'SOURCE_UNAVAILABLE'],
  ])('of a URL whose server %s is refused, and nothing is kept', async (_what, answered, status, code) => {
    served = (_request, response) => response.writeHead(answered).end('no');
    await gateway.keepsNothing(async () => {
      const refused = await create({ url: `${base}/a.txt` });
      expect([refused.status, refused.body['code']]).toStrictEqual([status, code]);
      expect(refused.body['error']).toBe(`url: The server answered ${answered}.`);
    });
  });

  it('of a URL whose server stops in the middle is refused, and nothing is kept', async () => {
    await gateway.keepsNothing(async () => {
      served = (_request, response) => {
        response.writeHead(200, { 'content-length': '5000000' });
        response.write('x'.repeat(1_000_000), () => response.destroy());
      };
      const cut = await create({ url: `${base}/a.bin` });
      expect([cut.status, cut.body['code']]).toStrictEqual([424, 'SOURCE_UNAVAILABLE']);
    });
  });

  it('of a URL that is too large is 413, announced or not, and nothing is kept', async () => {
    await gateway.keepsNothing(async () => {
      served = (_request, response) =>
        response.writeHead(200, { 'content-length': String(LIMIT_BYTES + 1) }).write('x');
      expect((await create({ url: `${base}/a.bin` })).status).toBe(413);
      served = (_request, response) => {
        for (let count = 0; count < 10; count++) response.write(Buffer.alloc(MIB));
        response.end();
      };
      expect((await create({ url: `${base}/a.bin` })).status).toBe(413);
    });
  });

  it('whose caller disconnects is not downloaded further', async () => {
    const seen: string[] = [];
    served = (_request, response) => {
      response.once('close', () => seen.push('closed'));
      response.write('x', () => seen.push('begun'));
    };
    const headers = { authorization: `ApiKey ${TEST_KEY}`, 'content-type': 'application/json' };
    const caller = request(`${gateway.url}/v1/files`, { method: 'POST', headers });
    caller.on('error', () => undefined).end(JSON.stringify({ url: `${base}/a.bin` }));
    await eventually(() => seen.includes('begun'));
    caller.destroy();
    await eventually(() => seen.includes('closed'));
    await eventually(() => gateway.process.logs.some((line) => line['status'] === 499));
  });

  it('that is created again with its Idempotency-Key is neither downloaded nor registered twice', async () => {
    const key = { 'idempotency-key': 'download-1' };
    const [first, second] = [await create({ url: `${base}/a.txt` }, key), await create({ url: `${base}/a.txt` }, key)];
    expect(second.body).toStrictEqual(first.body);
    expect(requests).toStrictEqual(['GET /a.txt']);
    expect((await create({ url: `${base}/b.txt` }, key)).status).toBe(409);
  });

  it.each([
    [{ filename: 'a', content: 'x', url: 'https://example.com/a' }, /^url must not be given together/],
    [{ content: 'x' }, /^filename is required/],
    [{ filename: 'a', content: 'x', size_bytes: 1 }, /^size_bytes must not/],
    [{ filename: 'a', content: 'a\0b' }, /^content /],
    [{ url: 'ftp://example.com/a' }, /^url must be a URL/],
    [{ url: 'http://example.com/a.txt' }, /^url must begin with https/],
    [{ url: 'https://user:password@example.com/a.txt' }, /^url must not contain a user/],
    [{ url: 'https://[::1]/a.txt' }, /^url leads to a private/],
    [{ url: 'https://10.0.0.1/a.txt' }, /^url leads to a private/],
  ])('with the body %j is refused', async (body, message) => {
    await gateway.keepsNothing(async () => {
      const refused = await create(body);
      expect(refused.status).toBe(400);
      expect(refused.body['error']).toMatch(message);
    });
  });

  it('of a URL without a name needs one', async () => {
    await gateway.keepsNothing(async () => {
      const refused = await create({ url: `${base}/` });
      expect([refused.status, refused.body['error']]).toStrictEqual([400, 'filename must not be empty']);
    });
    expect((await create({ url: `${base}/`, filename: 'named.txt' })).status).toBe(201);
  });

  it('without a text and a URL gets a signed URL', async () => {
    const { status, body } = await create({ filename: 'later.pdf' });
    expect([status, body['status'], body['upload_method']]).toStrictEqual([201, 'uploading', 'PUT']);
  });
});
