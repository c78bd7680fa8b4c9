// Runs the snippets of docs/webhooks.md as they are written there, against a signature of Kiln. Real: Node; Python and Go if they are
// installed.
import { afterAll, expect, it } from '@jest/globals';
import { keyOf, newSecret, signatureOf } from '@kiln/platform';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const document = readFileSync(fileURLToPath(new URL('../../../../docs/webhooks.md', import.meta.url)), 'utf8');
const directory = mkdtempSync(join(tmpdir(), 'kiln-snippets-'));
afterAll(() => rmSync(directory, { recursive: true }));

function snippet(language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(document) ?? [];
  if (!code) throw new Error(`docs/webhooks.md has no snippet in ${language}`);
  return code;
}

const body = '{"id":"evt_1","data":{"filename":"ü.pdf"}}';
const [secret, other] = [newSecret(), newSecret()];
const timestamp = Math.floor(Date.now() / 1000);
const headersAt = (seconds: number) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(seconds),
  'webhook-signature': signatureOf([keyOf(other), keyOf(secret)], 'evt_1', seconds, body),
});

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

const isThere = (command: string, argument: string) => spawnSync(command, [argument]).status === 0;

(isThere('python3', '--version') ? it : it.skip)('the Python snippet accepts what Kiln signs, and nothing else', () => {
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
});

(isThere('go', 'version') ? it : it.skip)('the Go snippet accepts what Kiln signs, and nothing else', () => {
  const main = `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example/kiln"
)

func main() {
	var input struct {
		Secret  string
		Headers map[string]string
		Body    string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&input); err != nil {
		panic(err)
	}
	header := http.Header{}
	for name, value := range input.Headers {
		header.Set(name, value)
	}
	fmt.Print(kiln.Verify(input.Secret, header, []byte(input.Body)))
}
`;
  mkdirSync(join(directory, 'module/kiln'), { recursive: true });
  writeFileSync(join(directory, 'module/go.mod'), 'module example\n\ngo 1.19\n');
  writeFileSync(join(directory, 'module/main.go'), main);
  writeFileSync(join(directory, 'module/kiln/verify.go'), snippet('go'));
  // The snippets fetch nothing.
  const settings = ['GOPROXY=off', 'GOTOOLCHAIN=local', 'CGO_ENABLED=0', `GOCACHE=${join(directory, 'cache')}`];
  const build = [...settings, 'go', 'build', '-o', 'verify', '.'];
  const built = spawnSync('env', build, { cwd: join(directory, 'module'), encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stderr);
  const run = (input: object) =>
    spawnSync(join(directory, 'module/verify'), { input: JSON.stringify(input), encoding: 'utf8' }).stdout;
  const headers = headersAt(timestamp);
  expect(run({ secret, headers, body })).toBe('<nil>');
  expect(run({ secret: other, headers, body })).toBe('<nil>');
  expect(run({ secret: newSecret(), headers, body })).toBe('wrong signature');
  expect(run({ secret, headers, body: `${body} ` })).toBe('wrong signature');
  expect(run({ secret, headers: headersAt(timestamp - 400), body })).toBe('too old');
});
