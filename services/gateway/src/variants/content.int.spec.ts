// Real: three gateway processes, Postgres, NATS, Redis, object store. FAKES: the files service (responders on the real bus, see
// test/fake-services.ts). The third gateway is one of a new release: it has a newer encryption key in front, a public address,
// and URLs that live for seconds.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeId, filesOperations, unavailable } from '@kiln/contracts';
import { CheckedResponses } from '@kiln/openapi-check';
import { assertStatus } from '@kiln/openapi-check/assert-status';
import { eventually } from '@kiln/testing';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import { ENCRYPTION_KEY, GatewayProcess, TEST_KEY } from '../test/gateway-process.js';
import { GatewayPair } from '../test/gateway-pair.js';

const PUBLIC_URL = 'https://kiln.example.com/api';
const LIFETIME_SECONDS = 3_600;
const SHORT_SECONDS = 2;
const TEXT = '# Übersicht\n\u0001';

interface Shown {
  id: string;
  type: string;
  content: string | null;
  content_url: string;
}

describe('the content of a small variant', () => {
  let pair: GatewayPair;
  let newer: GatewayProcess;
  let responses: CheckedResponses;
  beforeAll(async () => {
    pair = await GatewayPair.start();
    newer = await GatewayProcess.start(pair.surroundings, {
      KILN_ENCRYPTION_KEY: `${randomBytes(32).toString('base64')},${ENCRYPTION_KEY}`,
      KILN_PUBLIC_URL: `${PUBLIC_URL}/`,
      KILN_SIGNED_URL_SECONDS: String(SHORT_SECONDS),
    });
    responses = await CheckedResponses.of(pair.first.url);
  });
  beforeEach(() => pair.fakes.reset());
  afterAll(async () => {
    await newer.stop();
    await pair.stop();
  });

  /** A file with a small markdown variant. */
  async function newFile(text = TEXT) {
    const { id: file_id } = (await (await pair.first.post('/v1/upload', { filename: 'a.md' })).json()) as {
      id: string;
    };
    const [organization] = await pair.query('select live_tenant_id as tenant from organizations order by created_at');
    const tenantId = String(organization?.['tenant']);
    const size_bytes = Buffer.byteLength(text);
    const variant = { file_id, id: encodeId('variant', uuidv7()), type: 'markdown', size_bytes } as const;
    pair.fakes.addSmallVariant(tenantId, { ...variant, content_type: 'text/markdown' }, text);
    return { file_id, tenantId, variant, path: `/v1/files/${file_id}/variants` };
  }

  async function shownBy(gateway: GatewayProcess, path: string): Promise<Shown> {
    const response = await gateway.fetch(`${path}/markdown`);
    expect(response.status).toBe(200);
    return (await responses.check('GET', `${path}/markdown`, response)) as unknown as Shown;
  }

  const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);
  /** The URL without its token. */
  const placeOf = (url: string) => url.slice(0, url.lastIndexOf('/') + 1);
  const follow = (token: string, gateway = pair.first) => fetch(`${gateway.url}/v1/content/${token}`);

  async function refusal(token: string, status: number): Promise<Record<string, unknown>> {
    const response = await follow(token);
    assertStatus(response, status, token);
    return responses.check('GET', `/v1/content/${token}`, response);
  }

  it('is in the variant and in the list of them, both with a URL to it', async () => {
    const { path, variant } = await newFile();
    const one = await shownBy(pair.first, path);
    const response = await pair.first.fetch(path);
    const { variants } = (await responses.check('GET', path, response)) as unknown as { variants: Shown[] };
    for (const shown of [one, ...variants]) {
      expect([shown.id, shown.content]).toStrictEqual([variant.id, TEXT]);
      expect(shown).not.toHaveProperty('content_key');
      expect(placeOf(shown.content_url)).toBe(`${pair.first.url}/v1/content/`);
      expect(await (await fetch(shown.content_url)).text()).toBe(TEXT);
    }
    expect(variants).toHaveLength(1);
  });

  it('is asked for where the list had no room for it, and is null when it was replaced meanwhile', async () => {
    const { path, file_id, tenantId, variant } = await newFile();
    const shown = pair.fakes.variants.find(({ id }) => id === variant.id);
    if (!shown) throw new Error('no shown');
    shown.content = null;
    const contents = async () =>
      ((await (await pair.first.fetch(path)).json()) as { variants: Shown[] }).variants.map(({ content }) => content);
    expect(await contents()).toStrictEqual([TEXT]);
    pair.fakes.contents.delete(`${tenantId} ${file_id} ${variant.id}`);
    expect(await contents()).toStrictEqual([null]);
    pair.fakes.override(filesOperations.getVariantContent, () => Promise.reject(unavailable('The files service')));
    expect((await pair.first.fetch(path)).status).toBe(503);
  });

  it('is not kept by browsers, which would send its ETag, and then show a URL that has expired', async () => {
    const { path } = await newFile();
    for (const url of [path, `${path}/markdown`]) {
      const first = await pair.first.fetch(url);
      const again = await pair.first.fetch(url, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
      expect([first.status, again.status]).toStrictEqual([200, 304]);
      for (const response of [first, again]) expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('is answered by every gateway without credentials: the bytes as they are, with what browsers must know of them', async () => {
    const { path, tenantId, file_id, variant } = await newFile();
    const token = tokenOf((await shownBy(pair.first, path)).content_url);
    for (const gateway of [...pair.gateways, newer]) {
      const response = await follow(token, gateway);
      expect(response.status).toBe(200);
      expect(Buffer.from(await response.arrayBuffer())).toStrictEqual(Buffer.from(TEXT));
      expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(TEXT)));
      expect(response.headers.get('content-disposition')).toBe('inline');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      const [, seconds] = /^private, max-age=(\d+)$/.exec(response.headers.get('cache-control') ?? '') ?? [];
      expect(Number(seconds)).toBeGreaterThan(LIFETIME_SECONDS - 60);
      expect(Number(seconds)).toBeLessThanOrEqual(LIFETIME_SECONDS);
      const head = await fetch(`${gateway.url}/v1/content/${token}`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toStrictEqual([200, '']);
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(TEXT)));
    }
    const [call] = pair.fakes.callsOf(filesOperations.getVariantContent);
    expect(call?.input).toStrictEqual({ file_id, variant_id: variant.id });
    expect([call?.context.tenantId, call?.context.mode]).toStrictEqual([tenantId, 'live']);
  });

  it('may be empty', async () => {
    const { path } = await newFile('');
    const { content, content_url } = await shownBy(pair.first, path);
    expect(content).toBe('');
    const response = await fetch(content_url);
    expect([response.status, await response.text()]).toStrictEqual([200, '']);
  });

  it('has a URL under the public address where one is configured, which other gateways honour until it expires', async () => {
    const { path } = await newFile();
    // On a busy machine a URL may expire before the test reads it.
    const url = await eventually(async () => {
      const { content_url: fresh } = await shownBy(newer, path);
      expect((await follow(tokenOf(fresh))).status).toBe(200);
      return fresh;
    });
    expect(url).toMatch(new RegExp(`^${PUBLIC_URL}/v1/content/[\\w-]+$`));
    await eventually(async () => expect((await follow(tokenOf(url))).status).toBe(403));
  });

  it('has a URL to where the request was sent, and never to a Host that would be more than a host', async () => {
    const { path } = await newFile();
    const { port } = new URL(pair.first.url);
    const urlFor = (host: string) =>
      new Promise<string>((resolve, reject) => {
        const headers = { host, authorization: `ApiKey ${TEST_KEY}` };
        const outgoing = request(`${pair.first.url}${path}/markdown`, { headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
          response.once('end', () => resolve((JSON.parse(text) as Shown).content_url));
        });
        outgoing.once('error', reject).end();
      });
    expect(await urlFor('kiln.internal:8080')).toMatch(/^http:\/\/kiln\.internal:8080\/v1\/content\//);
    const hosts = ['evil.example.com/x?', 'user@evil.example.com', 'a b'];
    const places = await Promise.all(hosts.map(async (host) => placeOf(await urlFor(host))));
    expect(places).toStrictEqual(hosts.map(() => `http://127.0.0.1:${port}/v1/content/`));
  });

  it('is 403 alike for tokens that were changed, made up, or are too short, whether or not there is such a file', async () => {
    const { path } = await newFile();
    const token = tokenOf((await shownBy(pair.first, path)).content_url);
    const bytes = Buffer.from(token, 'base64url');
    const changed = [1, 20, 40, 60, bytes.length - 1].map((at) => {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return copy.toString('base64url');
    });
    const madeUp = [
      randomBytes(bytes.length).toString('base64url'),
      'x',
      `${token}A`,
      `${token}=`,
      token.slice(1),
      '~',
    ];
    const answers = new Set<string>();
    for (const wrong of [...changed, ...madeUp]) {
      const { error, code } = await refusal(wrong, 403);
      answers.add(`${String(code)} ${String(error)}`);
    }
    expect(answers.size).toBe(1);
    expect(pair.fakes.callsOf(filesOperations.getVariantContent)).toStrictEqual([]);
    expect((await fetch(`${pair.first.url}/v1/content`)).status).toBe(404);
    expect((await pair.first.fetch(`/v1/content/${token}`, { method: 'DELETE' })).status).toBe(405);
  });

  it('is 404 from the moment another variant has taken its place, and when the file is deleted', async () => {
    const [replaced, deleted] = [await newFile(), await newFile()];
    const tokens: string[] = [];
    for (const { path } of [replaced, deleted]) tokens.push(tokenOf((await shownBy(pair.first, path)).content_url));
    const { tenantId, file_id, variant } = replaced;
    pair.fakes.contents.delete(`${tenantId} ${file_id} ${variant.id}`);
    pair.fakes.addSmallVariant(
      tenantId,
      { ...variant, id: encodeId('variant', uuidv7()), content_type: 'text/markdown' },
      'another',
    );
    expect((await pair.first.fetch(`/v1/files/${deleted.file_id}`, { method: 'DELETE' })).status).toBe(200);
    for (const token of tokens) {
      expect((await refusal(token, 404))['code']).toBe('NOT_FOUND');
    }
  });

  it('is 503 while the files service does not answer', async () => {
    const { path } = await newFile();
    const token = tokenOf((await shownBy(pair.first, path)).content_url);
    pair.fakes.override(filesOperations.getVariantContent, () => Promise.reject(unavailable('The files service')));
    expect((await refusal(token, 503))['code']).toBe('UNAVAILABLE');
  });

  it('leaves no token in any log, whatever is asked with it', async () => {
    const { path } = await newFile();
    const token = tokenOf((await shownBy(pair.first, path)).content_url);
    const requestId = 'content-in-the-log';
    await pair.first.fetch(`/v1/content/${token}?x=1`);
    await pair.first.fetch(`/v1/content/${token}`, { method: 'POST' });
    await pair.first.fetch(`/v1/content/${token}/more`);
    await pair.first.fetch(`/v1/content/${token}`, { headers: { 'x-request-id': requestId } });
    const lineOf = () => pair.first.logs.find((line) => line['requestId'] === requestId);
    await eventually(() => lineOf() !== undefined);
    expect([lineOf()?.['route'], lineOf()?.['status']]).toStrictEqual(['/v1/content/:token', 200]);
    expect(JSON.stringify([pair.first.logs, pair.first.errors])).not.toContain(token);
  });
});
