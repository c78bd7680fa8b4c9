// Real: the command processes, a gateway process, Postgres, NATS, Redis, object store.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileCache } from '@kiln/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { GatewayWithKeys } from '../test/gateway-with-keys.js';

describe('operator commands', () => {
  let served: GatewayWithKeys;
  beforeAll(async () => {
    served = await GatewayWithKeys.start();
  });
  afterAll(() => served.stop());

  async function kiln(command: 'org' | 'key', ...words: string[]) {
    const entry = fileURLToPath(new URL(`./${command}.command.js`, import.meta.url));
    const child = spawn(process.execPath, [entry, ...words], {
      env: { ...compileCache, DATABASE_URL: served.surroundings.database.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: child.exitCode, output: output.trim(), errors };
  }

  async function succeed(...words: Parameters<typeof kiln>): Promise<string[]> {
    const { code, output, errors } = await kiln(...words);
    if (code !== 0) throw new Error(`${words.join(' ')} ended with status ${code}: ${errors}`);
    return output.split('\n');
  }

  const statusOf = async (value: string, path = '/v1/me') =>
    (await served.first.fetch(path, { headers: { authorization: `ApiKey ${value}` } })).status;

  it('make an organization and a key for it that works at once and sees nothing of others', async () => {
    const [line = ''] = await succeed('org', 'create', '--name', 'Ünïcode Ltd', '--plan', 'pro');
    const [organizationId = ''] = line.split('  ');
    expect(line).toMatch(/^org_\w{26} {2}pro {2}[-: \d]{19} {2}Ünïcode Ltd$/);
    const [made = ''] = await succeed('key', 'create', '--org', organizationId, '--name', 'first');
    const [, value = ''] = made.split('  ');
    const response = await served.first.fetch('/v1/org/api-keys', { headers: { authorization: `ApiKey ${value}` } });
    const { api_keys: keys } = (await response.json()) as { api_keys: { name: string }[] };
    expect(keys.map(({ name }) => name)).toStrictEqual(['first']);
    const me = await served.first.fetch('/v1/me', { headers: { authorization: `ApiKey ${value}` } });
    expect(((await me.json()) as { org_id: string }).org_id).toBe(organizationId);
  });

  it('make an organization together with its first key', async () => {
    const [organization = '', made = ''] = await succeed('org', 'create', '--name', 'Acme', '--key', 'first');
    const [, value = ''] = made.split('  ');
    const me = await served.first.fetch('/v1/me', { headers: { authorization: `ApiKey ${value}` } });
    expect(await me.json()).toMatchObject({ org_id: organization.split('  ')[0], scopes: ['*'] });
  });

  it('make keys with scopes, mode and expiry, and revoke them at once', async () => {
    const organizationId = await served.firstOrganizationId();
    const wishes = ['--scopes', 'keys:read, files:read', '--mode', 'test', '--expires', '2099-01-01'];
    const [made = ''] = await succeed('key', 'create', '--org', organizationId, '--name', 'narrow', ...wishes);
    const [id = '', value = ''] = made.split('  ');
    expect(value).toMatch(/^kiln_test_/);
    expect([await statusOf(value, '/v1/org/api-keys'), await statusOf(value, '/v1/jobs/x')]).toStrictEqual([200, 403]);
    expect(await succeed('key', 'revoke', '--org', organizationId, '--key', id)).toStrictEqual([`${id}  revoked`]);
    expect(await statusOf(value)).toBe(401);
    expect((await kiln('key', 'revoke', '--org', organizationId, '--key', id)).code).toBe(1);
  });

  it('list organizations and change their plans', async () => {
    const organizationId = await served.firstOrganizationId();
    const [changed = ''] = await succeed('org', 'set-plan', '--org', organizationId, '--plan', 'free');
    expect(changed).toMatch(/^org_\w{26} {2}free /);
    expect(await succeed('org', 'list')).toContain(changed);
  });

  it('say what is wrong, and how it should read, without a stack and with exit code 1', async () => {
    const unknown = 'org_01jeadxyrfeme8pn08sx5vyvey';
    const organizationId = await served.firstOrganizationId();
    const wrong: [Parameters<typeof kiln>, RegExp][] = [
      [['org'], /^.*usage:/],
      [['org', 'toString'], /usage:/],
      [['org', 'create'], /--name /],
      [['org', 'create', '--name', 'a', '--plan', 'gold'], /--plan must be one of free, pro, enterprise/],
      [['org', 'create', '--nmae', 'a'], /--nmae/],
      [['org', 'set-plan', '--org', 'x', '--plan', 'free'], /--org must be an id that starts with org_/],
      [['org', 'set-plan', '--org', unknown, '--plan', 'free'], /there is no organization/],
      [['key', 'create', '--org', unknown, '--name', 'a'], /there is no organization/],
      [['key', 'create', '--org', organizationId, '--name', 'a', '--scopes', 'all'], /--scopes\[0\] must be one of/],
      [
        ['key', 'create', '--org', organizationId, '--name', 'a', '--expires', '2020-01-01'],
        /--expires must be in the/,
      ],
    ];
    for (const [words, message] of wrong) {
      const { code, errors, output } = await kiln(...words);
      expect({ words, code, output }).toStrictEqual({ words, code: 1, output: '' });
      expect(errors).toMatch(message);
      expect(errors).not.toMatch(/^ +at /m);
    }
  });
});
