// Runs the snippets of docs/webhooks.md against a signature of Kiln. Real: Node; Python if it is installed.
import { afterAll, expect, it } from '@jest/globals';
import { newSecret } from '@kiln/platform';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { body, headersAt, isInstalled, other, secret, snippet, timestamp } from './signed-delivery.js';

const directory = mkdtempSync(join(tmpdir(), 'kiln-snippets-'));
afterAll(() => rmSync(directory, { recursive: true }));

it('the Node.js snippet accepts what Kiln signs, and nothing else', async () => {
  const path = join(directory, 'verify.mjs');
  writeFileSync(path, snippet('js'));
  const { verify } = (await import(pathToFileURL(path).href)) as {
    verify: (secret: string, headers: object, body: string) => { id: string };
  };
  expect(verify(secret, headersAt(timestamp), body).id).toBe('evt_1');
  expect(verify(other, headersAt(timestamp), body).id).toBe('evt_1');
  expect(() => verify(newSecret(), headersAt(timestamp), body)).toThrow(/wrong signature/);
  expect(() => verify(secret, headersAt(timestamp), `${body} `)).toThrow(/wrong signature/);
  expect(() => verify(secret, headersAt(timestamp - 400), body)).toThrow(/too old/);
});

(isInstalled('python3', '--version') ? it : it.skip)(
  'the Python snippet accepts what Kiln signs, and nothing else',
  () => {
    const path = join(directory, 'verify.py');
    const call = `
import sys
secret, headers, body = json.loads(sys.stdin.read())
print(verify(secret, headers, body.encode())["id"])
`;
    writeFileSync(path, snippet('python') + call);
    const run = (...input: [string, object, string]) =>
      spawnSync('python3', [path], { input: JSON.stringify(input), encoding: 'utf8' });
    const accepted = run(secret, headersAt(timestamp), body);
    if (accepted.status !== 0) throw new Error(accepted.stderr);
    expect(accepted.stdout.trim()).toBe('evt_1');
    expect(run(newSecret(), headersAt(timestamp), body).stderr).toMatch(/wrong signature/);
    expect(run(secret, headersAt(timestamp - 400), body).stderr).toMatch(/too old/);
  },
);
