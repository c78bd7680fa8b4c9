// The logs of all processes: hostile names and values cannot forge a line, and no secret is logged.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KilnClient } from './support/kiln-client.js';
import { newSpace, storeFile } from './support/stored-files.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

/** The strings that must not be in the logs: values of metadata, and rejected input. */
const MARK = 'quokkacanary';
const FORGED = `{"level":"fatal","msg":"${MARK}"}`;
const NAMES = [
  `{"level":"fatal","msg":"wombat"}.md`,
  `wombat\u202Egnp.md`,
  `wombat%0d%0a{"level":"fatal"}.md`,
  `wombat \${jndi:ldap:x} %s %o.md`,
];
const VALUES = [`${MARK}\r\n${FORGED}`, `${MARK}\u2028${FORGED}`, `${MARK}\u001b[2J\u001b[31m`, `${MARK}\u0085\u2029`];
const SERVERS = /^(postgres|nats|redis|object-store)/;
// eslint-disable-next-line no-control-regex -- matches control characters on purpose
const TRICKS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/u;

describe('the logs', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  beforeAll(async () => {
    system = await systemUnderTest();
    client = await system.newClient();
  });
  afterAll(() => system.stop());

  const logs = () => {
    const directory = join(system.dataDir, 'logs');
    // A process may be writing its last line.
    const textOf = (name: string) => readFileSync(join(directory, name), 'utf8').replace(/[^\n]+$/, '');
    return readdirSync(directory).map((name) => ({ name, text: textOf(name) }));
  };
  const ownLines = () =>
    logs()
      .filter(({ name }) => !SERVERS.test(name))
      .flatMap(({ name, text }) => text.split('\n').map((line) => ({ name, line })))
      .filter(({ line }) => line !== '');
  /** Sends a request that is logged after all others, and waits until it is logged. */
  async function gatewayLogged(): Promise<void> {
    const { headers } = await client.get('/v1/me');
    const requestId = headers.get('x-request-id') ?? '';
    const isLogged = () => expect(ownLines().filter(({ line }) => line.includes(requestId))).not.toHaveLength(0);
    await eventually(async () => isLogged());
  }
  /** All processes write their lines in the same interval: between two writes of the gateway, all others have written. */
  async function allWritten(): Promise<void> {
    await gatewayLogged();
    await gatewayLogged();
  }

  it('contain one JSON object per line, for any names, values, headers and paths', async () => {
    const space = newSpace();
    const jobs: string[] = [];
    for (const [at, filename] of NAMES.entries()) {
      const metadata = JSON.stringify({ [`${MARK}\n${at}`]: VALUES[at] });
      const { status, body } = await client.upload('x', '%PDF-1.7 and then nothing', { filename, metadata, space });
      expect(status).toBe(201);
      jobs.push(body.job_id);
    }
    for (const id of jobs) expect((await client.waitForJob(id)).error?.code).toBe('corrupt_file');
    for (const value of VALUES) {
      expect((await client.post('/v1/upload', { filename: value })).status).toBe(400);
      expect((await client.post('/v1/search', { query: value, space: value })).status).toBe(400);
      expect((await client.get(`/v1/files/${encodeURIComponent(value)}`)).status).toBe(404);
      expect((await client.get(`/v1/files?cursor=${encodeURIComponent(value)}`)).status).toBe(400);
      expect((await client.get(`/${encodeURIComponent(value)}`)).status).toBe(404);
    }
    const headers = { 'x-request-id': '"},{"level":"fatal"', 'user-agent': FORGED, 'idempotency-key': FORGED };
    await client.request('POST', '/v1/files', { json: { filename: 'a.md', space }, headers });
    await allWritten();
    const endedRuns = () => ownLines().filter(({ line }) => line.includes('Run failed')).length;
    const areLogged = () => expect(endedRuns()).toBeGreaterThanOrEqual(NAMES.length);
    await eventually(async () => areLogged());
    const lines = ownLines();
    for (const { name, line } of lines) {
      expect(line).not.toMatch(TRICKS);
      const { level, msg, time } = JSON.parse(line) as { level: unknown; msg: unknown; time: unknown };
      if (typeof level !== 'string' || typeof msg !== 'string' || typeof time !== 'string')
        throw new Error(`${name}: ${line}`);
      if (level === 'fatal') throw new Error(`${name}: ${line}`);
    }
    const telling = logs().filter(({ text }) => text.includes(MARK));
    expect(telling.map(({ name }) => name)).toStrictEqual([]);
  });

  it('contain no key, token, secret or signed URL, not even a rejected one', async () => {
    const wrongKey = `kiln_live_${'W'.repeat(43)}`;
    const space = newSpace();
    const anonymous = (path: string, authorization: string) =>
      client.request('GET', path, { anonymous: true, headers: { authorization } });
    const file = await storeFile(client, 'kept.md', { space });
    const { body: key } = await client.post<{ key: string }>('/v1/org/api-keys', { name: 'logged' });
    const { body: portal } = await client.post<{ token: string }>('/v1/portal/tokens', { space });
    const { body: webhook } = await client.post<{ secret: string }>('/v1/webhooks', {
      url: 'https://hooks.example.com/in',
      events: ['*'],
    });
    const { body: upload } = await client.post<{ upload_url: string }>('/v1/upload', { filename: 'a.md', space });
    const { body: download } = await client.get<{ url: string }>(`/v1/files/${file.id}/download`);
    expect((await anonymous('/v1/me', `ApiKey ${key.key}`)).status).toBe(200);
    expect((await anonymous('/v1/me', `ApiKey ${wrongKey}`)).status).toBe(401);
    expect((await anonymous('/v1/portal/files', `PortalToken ${portal.token}`)).status).toBe(200);
    expect((await anonymous(`/v1/portal/tokens/${portal.token}/verify`, '')).status).toBe(200);
    const signature = (url: string) => new URL(url).searchParams.get('X-Amz-Signature') ?? '';
    const secrets = [client.apiKey, key.key, wrongKey, portal.token, webhook.secret];
    secrets.push(signature(upload.upload_url), signature(download.url));
    await allWritten();
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(20);
      const telling = logs().filter(({ text }) => text.includes(secret));
      expect(telling.map(({ name }) => ({ name, beginning: secret.slice(0, 10) }))).toStrictEqual([]);
    }
  });
});
