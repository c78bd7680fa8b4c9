// Real: the command processes, a gateway process, Postgres, NATS, Redis, object store.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { GatewayPair } from '../test/gateway-pair.js';

describe('operator commands', () => {
  let pair: GatewayPair;
  before(async () => {
    pair = await GatewayPair.start();
  });
  after(() => pair.stop());

  async function kiln(command: 'org' | 'key', ...words: string[]) {
    const entry = fileURLToPath(new URL(`./${command}.js`, import.meta.url));
    const child = spawn(process.execPath, [entry, ...words], {
      env: { DATABASE_URL: pair.surroundings.database.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: child.exitCode, output: output.trim(), errors };
  }

  async function succeed(...words: Parameters<typeof kiln>): Promise<string[]> {
    const { code, output, errors } = await kiln(...words);
    assert.equal(code, 0, errors);
    return output.split('\n');
  }

  const statusOf = async (value: string, path = '/v1/me') =>
    (await pair.first.fetch(path, { headers: { authorization: `ApiKey ${value}` } })).status;

  it('make an organization and a key for it that works at once and sees nothing of others', async () => {
    const [line = ''] = await succeed('org', 'create', '--name', 'Ünïcode Ltd', '--plan', 'pro');
    const [organizationId = ''] = line.split('  ');
    assert.match(line, /^org_\w{26} {2}pro {2}[-: \d]{19} {2}Ünïcode Ltd$/);
    const [made = ''] = await succeed('key', 'create', '--org', organizationId, '--name', 'first');
    const [, value = ''] = made.split('  ');
    const response = await pair.first.fetch('/v1/org/api-keys', { headers: { authorization: `ApiKey ${value}` } });
    const { api_keys: keys } = (await response.json()) as { api_keys: { name: string }[] };
    assert.deepEqual(
      keys.map(({ name }) => name),
      ['first'],
    );
    const me = await pair.first.fetch('/v1/me', { headers: { authorization: `ApiKey ${value}` } });
    assert.equal(((await me.json()) as { org_id: string }).org_id, organizationId);
  });

  it('make keys with scopes, mode and expiry, and revoke them at once', async () => {
    const organizationId = await pair.firstOrganizationId();
    const wishes = ['--scopes', 'keys:read, files:read', '--mode', 'test', '--expires', '2099-01-01'];
    const [made = ''] = await succeed('key', 'create', '--org', organizationId, '--name', 'narrow', ...wishes);
    const [id = '', value = ''] = made.split('  ');
    assert.match(value, /^kiln_test_/);
    assert.deepEqual([await statusOf(value, '/v1/org/api-keys'), await statusOf(value, '/v1/jobs/x')], [200, 403]);
    assert.deepEqual(await succeed('key', 'revoke', '--org', organizationId, '--key', id), [`${id}  revoked`]);
    assert.equal(await statusOf(value), 401);
    assert.equal((await kiln('key', 'revoke', '--org', organizationId, '--key', id)).code, 1);
  });

  it('list organizations and change their plans', async () => {
    const organizationId = await pair.firstOrganizationId();
    const [changed = ''] = await succeed('org', 'set-plan', '--org', organizationId, '--plan', 'free');
    assert.match(changed, /^org_\w{26} {2}free /);
    assert.ok((await succeed('org', 'list')).includes(changed));
  });

  it('say what is wrong, and how it should read, without a stack and with exit code 1', async () => {
    const unknown = 'org_01jeadxyrfeme8pn08sx5vyvey';
    const organizationId = await pair.firstOrganizationId();
    const wrong: [Parameters<typeof kiln>, RegExp][] = [
      [['org'], /^.*usage:/],
      [['org', 'toString'], /usage:/],
      [['org', 'create'], /--name: /],
      [['org', 'create', '--name', 'a', '--plan', 'gold'], /--plan: must be one of free, pro, enterprise/],
      [['org', 'create', '--nmae', 'a'], /--nmae/],
      [['org', 'set-plan', '--org', 'x', '--plan', 'free'], /--org: must be an id that starts with org_/],
      [['org', 'set-plan', '--org', unknown, '--plan', 'free'], /there is no organization/],
      [['key', 'create', '--org', unknown, '--name', 'a'], /there is no organization/],
      [['key', 'create', '--org', organizationId, '--name', 'a', '--scopes', 'all'], /--scopes\[0\]: must be one of/],
      [
        ['key', 'create', '--org', organizationId, '--name', 'a', '--expires', '2020-01-01'],
        /--expires: must be in the/,
      ],
    ];
    for (const [words, message] of wrong) {
      const { code, errors, output } = await kiln(...words);
      assert.deepEqual([code, output], [1, ''], words.join(' '));
      assert.match(errors, message);
      assert.doesNotMatch(errors, /^ +at /m);
    }
  });
});
