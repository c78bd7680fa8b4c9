// Where settings come from, and where keys are kept and sent.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runKiln, type Situation } from '../fixtures/run-kiln.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-cli-'));
});
afterEach(() => rm(folder, { recursive: true }));

const KEY = 'kiln_live_0123456789';
const me = { org_id: 'org_1', auth_type: 'api_key', key_name: 'laptop', scopes: ['*'] };
const handlers = { 'GET /v1/me': () => me, 'GET /v1/files': () => ({ files: [], next_cursor: null }) };
const run = (words: readonly string[], { environment, ...situation }: Situation = {}) =>
  runKiln(words, {
    handlers,
    environment: {
      apiKey: undefined,
      configDirectory: join(folder, 'config'),
      workingDirectory: folder,
      ...environment,
    },
    ...situation,
  });
const login = (words: readonly string[] = []) => run(['login', ...words], { input: `${KEY}\n` });

it('login checks the key, and keeps it in a file that only its owner can read', async () => {
  const { exit, err, out, connections } = await login(['--url', 'https://kiln.example.com', '--space', 'contracts']);
  expect([exit, out]).toStrictEqual([0, '']);
  expect(err).toContain("Logged in to https://kiln.example.com as 'laptop' of org_1.\n");
  expect(err).not.toContain(KEY);
  expect(connections).toStrictEqual([{ url: 'https://kiln.example.com', apiKey: KEY }]);
  const path = join(folder, 'config/config.json');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(path, 'utf8'))).toStrictEqual({
    current: 'default',
    profiles: { default: { url: 'https://kiln.example.com', apiKey: KEY, space: 'contracts' } },
  });
});

it('login takes the key of the environment, and never prompts without a terminal', async () => {
  expect((await run(['login'], { environment: { apiKey: 'kiln_live_env' } })).connections[0]?.apiKey).toBe(
    'kiln_live_env',
  );
  const { exit, err } = await run(['login'], {});
  expect([exit, err]).toStrictEqual([2, 'error: There is no key. Set KILN_API_KEY, or run: kiln login < key-file\n']);
});

it('a key is sent to the address of its profile only', async () => {
  await login(['--url', 'https://kiln.example.com']);
  expect((await run(['ls'])).connections).toStrictEqual([{ url: 'https://kiln.example.com', apiKey: KEY }]);
  const { exit, connections } = await run(['ls', '--url', 'https://other.example.com']);
  expect([exit, connections]).toStrictEqual([4, []]);
});

it('config show names the source of each setting: option, environment, project, user', async () => {
  await login(['--url', 'https://a.example.com']);
  await login(['--profile', 'staging', '--url', 'https://b.example.com']);
  await run(['config', 'use', 'default']);
  await mkdir(join(folder, 'inner'));
  await writeFile(join(folder, 'kiln.json'), '{"profile":"staging","space":"drafts"}');
  const user = join(folder, 'config/config.json');
  const project = join(folder, 'kiln.json');
  const show = async (words: readonly string[], situation: Situation = {}) => (await run(words, situation)).out;
  expect(await show(['config', 'show'], { environment: { workingDirectory: join(folder, 'inner') } })).toBe(
    `profile\tstaging\t${project}\nurl\thttps://b.example.com\t${user}\nspace\tdrafts\t${project}\n` +
      `api_key\tkiln_live_0123…\t${user}\n`,
  );
  const environment = { space: 'env', apiKey: 'kiln_live_fromenvironment' };
  expect(await show(['config', 'show', '--profile', 'default'], { environment })).toBe(
    `profile\tdefault\t--profile\nurl\thttps://a.example.com\t${user}\nspace\tenv\tKILN_SPACE\n` +
      'api_key\tkiln_live_from…\tKILN_API_KEY\n',
  );
});

it('a project cannot name an address', async () => {
  await login();
  await writeFile(join(folder, 'kiln.json'), '{"url":"https://evil.example.com"}');
  const { exit, connections } = await run(['ls']);
  expect([exit, connections]).toStrictEqual([2, []]);
});

it('a file of keys that others can read is refused', async () => {
  await login();
  await chmod(join(folder, 'config/config.json'), 0o644);
  const { exit, err } = await run(['ls']);
  expect([exit, err]).toStrictEqual([2, expect.stringContaining('chmod 600')]);
});

it('without a key the exit code is 4, with an unknown profile 2', async () => {
  const { exit, err } = await run(['ls']);
  expect([exit, err]).toStrictEqual([4, 'error: There is no key for http://127.0.0.1:8080. Log in with: kiln login\n']);
  expect((await run(['ls', '--profile', 'x'])).exit).toBe(2);
});

it('logout removes the profile with its key', async () => {
  await login();
  expect((await run(['logout'])).exit).toBe(0);
  expect(await readFile(join(folder, 'config/config.json'), 'utf8')).not.toContain(KEY);
});
