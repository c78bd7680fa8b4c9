// What the logs hold, read from the files of a system of this suite's own: hostile names and values forge no line, and what is
// secret leaves no trace.
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from './support/eventually.js';
import { KilnClient } from './support/kiln-client.js';
import { newSpace, storeFile } from './support/stored-files.js';

/** What the logs are searched for: no value of metadata, and nothing that was refused, is to be in them. */
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
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const TRICKS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/u;

describe('the logs', () => {
  let system: RunningSystem;
  let client: KilnClient;
  before(async () => {
    system = await startSystem();
    client = await KilnClient.of(system.baseUrl, system.apiKey);
  });
  after(() => system.stop());

  const logs = () => {
    const directory = join(system.dataDir, 'logs');
    return readdirSync(directory).map((name) => ({ name, text: readFileSync(join(directory, name), 'utf8') }));
  };
  const ownLines = () =>
    logs()
      .filter(({ name }) => !SERVERS.test(name))
      .flatMap(({ name, text }) => text.split('\n').map((line) => ({ name, line })))
      .filter(({ line }) => line !== '');
  /** Sends a request that is logged after all others, and waits until it is. */
  async function gatewayLogged(): Promise<void> {
    const { headers } = await client.get('/v1/me');
    const requestId = headers.get('x-request-id') ?? '';
    const isLogged = () => assert.ok(ownLines().some(({ line }) => line.includes(requestId)));
    await eventually(async () => isLogged(), { timeoutMs: 10_000 });
  }
  /** Every process writes its lines in the same interval: between two writes of the gateway all others have written, too. */
  async function settled(): Promise<void> {
    await gatewayLogged();
    await gatewayLogged();
  }

  it('are JSON, one object to a line, whatever names, values, headers and paths were sent', async () => {
    const space = newSpace();
    const jobs: string[] = [];
    for (const [at, filename] of NAMES.entries()) {
      const metadata = JSON.stringify({ [`${MARK}\n${at}`]: VALUES[at] });
      const { status, body } = await client.upload('x', '%PDF-1.7 and then nothing', { filename, metadata, space });
      assert.equal(status, 201);
      jobs.push(body.job_id);
    }
    for (const id of jobs) assert.equal((await client.waitForJob(id)).error?.code, 'corrupt_file');
    for (const value of VALUES) {
      assert.equal((await client.post('/v1/upload', { filename: value })).status, 400);
      assert.equal((await client.post('/v1/search', { query: value, space: value })).status, 400);
      assert.equal((await client.get(`/v1/files/${encodeURIComponent(value)}`)).status, 404);
      assert.equal((await client.get(`/v1/files?cursor=${encodeURIComponent(value)}`)).status, 400);
      assert.equal((await client.get(`/${encodeURIComponent(value)}`)).status, 404);
    }
    const headers = { 'x-request-id': '"},{"level":"fatal"', 'user-agent': FORGED, 'idempotency-key': FORGED };
    await client.request('POST', '/v1/files', { json: { filename: 'a.md', space }, headers });
    await settled();
    const endedRuns = () => ownLines().filter(({ line }) => line.includes('run ended early')).length;
    const areLogged = () => assert.ok(endedRuns() >= NAMES.length, 'the runs of these files are in the logs');
    await eventually(async () => areLogged(), { timeoutMs: 10_000 });
    const lines = ownLines();
    for (const { name, line } of lines) {
      assert.doesNotMatch(line, TRICKS, name);
      const { level, msg, time } = JSON.parse(line) as { level: unknown; msg: unknown; time: unknown };
      assert.ok(typeof level === 'string' && typeof msg === 'string' && typeof time === 'string', `${name}: ${line}`);
      assert.notEqual(level, 'fatal', name);
    }
    const telling = logs().filter(({ text }) => text.includes(MARK));
    assert.deepEqual(
      telling.map(({ name }) => name),
      [],
    );
  });

  it('hold no key, token, secret or signed URL, not even one that was refused', async () => {
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
    assert.equal((await anonymous('/v1/me', `ApiKey ${key.key}`)).status, 200);
    assert.equal((await anonymous('/v1/me', `ApiKey ${wrongKey}`)).status, 401);
    assert.equal((await anonymous('/v1/portal/files', `PortalToken ${portal.token}`)).status, 200);
    assert.equal((await anonymous(`/v1/portal/tokens/${portal.token}/verify`, '')).status, 200);
    const signature = (url: string) => new URL(url).searchParams.get('X-Amz-Signature') ?? '';
    const secrets = [system.apiKey, key.key, wrongKey, portal.token, webhook.secret];
    secrets.push(signature(upload.upload_url), signature(download.url));
    await settled();
    for (const secret of secrets) {
      assert.ok(secret.length > 20);
      for (const { name, text } of logs()) assert.ok(!text.includes(secret), `${name} holds ${secret.slice(0, 10)}…`);
    }
  });
});
