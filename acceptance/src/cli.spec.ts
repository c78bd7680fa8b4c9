// The command line against a system: the real program, from the login to an answer, with its exit codes.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { verifyWebhook } from '@kiln/sdk/webhooks';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCli } from './support/cli.js';
import { startEndpoint } from './support/endpoints.js';
import { startHoldingProxy } from './support/holding-proxy.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const TEXT = '# Zephyr\n\nThe warranty of the Zephyr turbine is ten years.\n';
const QUESTION = 'How long is the warranty of the Zephyr turbine?';
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const newSpace = () => `cli-${randomUUID()}`;

describe('the command line', () => {
  let system: SystemUnderTest;
  let folder: string;
  beforeAll(async () => {
    system = await systemUnderTest();
    folder = await mkdtemp(join(tmpdir(), 'kiln-cli-'));
    await mkdir(join(folder, 'docs/inner'), { recursive: true });
    await writeFile(join(folder, 'docs/zephyr.md'), TEXT);
    await writeFile(join(folder, 'docs/inner/boreas.md'), '# Boreas\n\nThe Boreas turbine weighs 40 tons.\n');
    await writeFile(join(folder, 'docs/inner/draft.tmp'), 'x');
    await writeFile(join(folder, 'damaged.pdf'), '%PDF-1.7\nnothing of a document');
    const login = await kiln(['login'], { KILN_API_KEY: system.client.apiKey });
    expect(login).toMatchObject({ exit: 0, out: '' });
  });
  afterAll(async () => {
    await system.stop();
    await rm(folder, { recursive: true });
  });

  const environment = (more: Readonly<Record<string, string>> = {}) => ({
    PATH: '',
    KILN_CONFIG_DIR: join(folder, 'config'),
    KILN_URL: system.client.baseUrl,
    ...more,
  });
  const start = (words: readonly string[], more = {}) => startCli(words, environment(more));
  const kiln = (words: readonly string[], more = {}) => start(words, more).ended;
  const up = (path: string, words: readonly string[]) => kiln(['up', join(folder, path), ...words]);
  const rowsOf = (out: string) =>
    out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t'));

  it('login keeps the key in a file that only its owner can read', async () => {
    const path = join(folder, 'config/config.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toContain(system.client.apiKey);
  });

  it('uploads a folder, lists it, reads markdown, searches and answers with a source', async () => {
    const space = newSpace();
    const uploaded = await up('docs', ['--space', space, '--exclude', '*.tmp', '--wait']);
    expect(uploaded.exit).toBe(0);
    expect(rowsOf(uploaded.out).map(([path, outcome]) => [path, outcome])).toStrictEqual([
      ['inner/boreas.md', 'completed'],
      ['zephyr.md', 'completed'],
    ]);
    const again = await up('docs', ['--space', space, '--exclude', '*.tmp', '--wait']);
    expect([again.exit, again.out]).toStrictEqual([0, uploaded.out]);
    // Files end in any order.
    expect(again.err.trimEnd().split('\n').toSorted()).toStrictEqual([
      'present   inner/boreas.md',
      'present   zephyr.md',
    ]);

    const listed = await kiln(['ls', '--space', space, '--sort', 'filename', '--json']);
    const files = listed.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; filename: string });
    expect(files.map(({ filename }) => filename)).toStrictEqual(['boreas.md', 'zephyr.md']);
    const id = files[1]?.id ?? '';
    expect(await kiln(['get', id, 'markdown'])).toStrictEqual({ exit: 0, out: TEXT, err: '' });
    expect(await kiln(['get', id, '--original'])).toStrictEqual({ exit: 0, out: TEXT, err: '' });
    const path = join(folder, 'original.md');
    expect((await kiln(['get', id, '--original', '-o', path])).exit).toBe(0);
    expect(await readFile(path, 'utf8')).toBe(TEXT);
    const found = await kiln(['search', 'warranty', '--space', space, '--fields', 'file_id']);
    expect(found.out).toBe(`${id}\n`);
    expect((await kiln(['ask', QUESTION, '--space', space])).out).toBe(
      'The warranty of the Zephyr turbine is ten years. [1]\n\nSources\n' +
        `[1] zephyr.md  ${id}\n    “The warranty of the Zephyr turbine is ten years.”\n`,
    );
    expect((await kiln(['chunks', id, '--fields', 'index,text'])).out).toMatch(/^0\t# Zephyr The warranty .*\n$/);
  });

  it('watches a file until its processing has ended', async () => {
    const { out } = await up('docs/zephyr.md', ['--space', newSpace(), '--json', '--fields', 'file_id,job_id']);
    const { file_id: file, job_id: job } = JSON.parse(out) as { file_id: string; job_id: string };
    expect(await kiln(['watch', file])).toMatchObject({ exit: 0, err: `${job} completed\n` });
  });

  it('shows a failed job, and ends with 1 whoever waits for it', async () => {
    const space = newSpace();
    const uploaded = await up('damaged.pdf', ['--space', space, '--wait', '--fields', 'outcome,job_id']);
    const [[outcome, job = ''] = []] = rowsOf(uploaded.out);
    expect([uploaded.exit, outcome]).toStrictEqual([1, 'failed']);
    expect(uploaded.err).toMatch(/error: damaged\.pdf: .+ \(corrupt_file\)\n$/);
    expect((await kiln(['watch', job])).exit).toBe(1);
    expect((await kiln(['jobs', 'get', job])).exit).toBe(0);
    expect((await kiln(['jobs', 'get', job, '--wait'])).exit).toBe(1);
    const listed = await kiln(['jobs', 'ls', '--space', space, '--status', 'failed', '--fields', 'id']);
    expect(listed.out).toBe(`${job}\n`);
  });

  it('continues an interrupted upload', async () => {
    const space = newSpace();
    await mkdir(join(folder, 'many'));
    for (let at = 0; at < 5; at += 1) await writeFile(join(folder, `many/${at}.md`), `# Number ${at}\n`);
    let uploads = 0;
    const proxy = await startHoldingProxy(system.client.baseUrl, ({ method, url }) => {
      if (method === 'POST' && url === '/v1/upload') uploads += 1;
      return uploads > 2;
    });
    const words = ['up', join(folder, 'many'), '--space', space, '--concurrency', '1'];
    const running = start(words, { KILN_URL: proxy.url, KILN_API_KEY: system.client.apiKey });
    await proxy.held;
    running.interrupt();
    const interrupted = await running.ended;
    await proxy.close();
    expect(interrupted.exit).toBe(130);
    expect(interrupted.err).toContain('Interrupted: 2 of 5 files are done. Run the same command again to continue');
    // A file counts as present when the arrival of its bytes has been noticed.
    await eventually(async () => {
      const { out } = await kiln(['ls', '--space', space, '--status', 'completed', '--fields', 'id']);
      expect(rowsOf(out)).toHaveLength(2);
    });
    const continued = await kiln(['up', join(folder, 'many'), '--space', space, '--wait']);
    expect(continued.exit).toBe(0);
    expect(continued.err.match(/^present {3}/gm)).toHaveLength(2);
    expect(continued.err.match(/^uploaded {2}/gm)).toHaveLength(3);
    expect(rowsOf((await kiln(['ls', '--space', space, '--fields', 'id'])).out)).toHaveLength(5);
  });

  it('forwards events to a local server, signed as a webhook, and repeats what fails', async () => {
    const space = newSpace();
    let count = 0;
    const endpoint = await startEndpoint((response) => void response.writeHead((count += 1) === 1 ? 500 : 204).end());
    const words = [
      'webhooks',
      'listen',
      '--forward',
      endpoint.url,
      '--space',
      space,
      '--types',
      'file.created',
      '--json',
    ];
    const listening = start(words, { KILN_WEBHOOK_SECRET: SECRET });
    await eventually(async () => {
      if (endpoint.received.length === 0) await up('docs/zephyr.md', ['--space', space, '--force']);
      expect(endpoint.received.length).toBeGreaterThan(1);
    });
    listening.interrupt();
    const { exit, out, err } = await listening.ended;
    await endpoint.close();
    const events = endpoint.received.map((request) => verifyWebhook({ ...request, secret: SECRET }));
    expect(events[0]).toMatchObject({ type: 'file.created', data: { space, filename: 'zephyr.md' } });
    expect(events[1]).toStrictEqual(events[0]);
    const attempts = out.trimEnd().split('\n');
    expect(JSON.parse(attempts[0] ?? '')).toMatchObject({
      id: events[0]?.id,
      attempt: 1,
      status: 500,
      retry_in_ms: 1_000,
    });
    expect(JSON.parse(attempts[1] ?? '')).toMatchObject({ id: events[0]?.id, attempt: 2, status: 204 });
    expect([exit, err]).toStrictEqual([130, expect.stringMatching(/Continue with the option: --after evt_\w+\n$/)]);
  });

  it('ends with 4 for a wrong key, with 2 for a wrong command, and with 5 without a server', async () => {
    const wrong = await kiln(['ls'], { KILN_API_KEY: `kiln_live_${'x'.repeat(43)}` });
    expect([wrong.exit, wrong.out]).toStrictEqual([4, '']);
    expect((await kiln(['ls', '--nope'])).exit).toBe(2);
    expect((await kiln(['usage', '--url', 'http://127.0.0.1:1'])).exit).toBe(4);
    const gone = await kiln(['usage', '--url', 'http://127.0.0.1:1'], { KILN_API_KEY: system.client.apiKey });
    expect(gone.exit).toBe(5);
  });

  it('creates a webhook with its secret, lists it and deletes it', async () => {
    const words = ['webhooks', 'create', 'https://example.com/hooks', '--events', 'job.failed', '--json'];
    const { out } = await kiln(words);
    const { id, secret } = JSON.parse(out) as { id: string; secret: string };
    expect(secret).toMatch(/^whsec_/);
    const idsOf = async () => (await kiln(['webhooks', 'ls', '--all', '--fields', 'id'])).out.split('\n');
    expect(await idsOf()).toContain(id);
    expect((await kiln(['webhooks', 'rm', id, '--yes'])).exit).toBe(0);
    expect(await idsOf()).not.toContain(id);
  });

  it('creates a key that works until it is revoked', async () => {
    const { out } = await kiln(['keys', 'create', 'made by a test', '--scopes', 'files:read', '--json']);
    const { id, key } = JSON.parse(out) as { id: string; key: string };
    expect((await kiln(['ls', '--space', newSpace()], { KILN_API_KEY: key })).exit).toBe(0);
    expect((await kiln(['keys', 'ls'], { KILN_API_KEY: key })).exit).toBe(4);
    expect((await kiln(['keys', 'rm', id])).exit).toBe(2);
    expect((await kiln(['keys', 'rm', id, '--yes'])).exit).toBe(0);
  });
});
