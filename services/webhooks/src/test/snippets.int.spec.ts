// The snippets of docs/webhooks.md, run as they stand there, against a signature of ours. Real: Node; Python and Go where there is one.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { keyOf, newSecret, signatureOf } from '../domain/signature.js';

const document = readFileSync(fileURLToPath(new URL('../../../../docs/webhooks.md', import.meta.url)), 'utf8');
const directory = mkdtempSync(join(tmpdir(), 'kiln-snippets-'));
after(() => rmSync(directory, { recursive: true }));

function snippet(language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(document) ?? [];
  assert.ok(code, `docs/webhooks.md has no snippet in ${language}`);
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
  assert.equal(verify(secret, headersAt(timestamp), body).id, 'evt_1');
  assert.equal(verify(other, headersAt(timestamp), body).id, 'evt_1');
  assert.throws(() => verify(newSecret(), headersAt(timestamp), body), /wrong signature/);
  assert.throws(() => verify(secret, headersAt(timestamp), `${body} `), /wrong signature/);
  assert.throws(() => verify(secret, headersAt(timestamp - 400), body), /too old/);
});

const isThere = (command: string, argument: string) => spawnSync(command, [argument]).status === 0;

it('the Python snippet accepts what Kiln signs, and nothing else', { skip: !isThere('python3', '--version') }, () => {
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
  assert.equal(accepted.stdout.trim(), 'evt_1', accepted.stderr);
  assert.match(run(newSecret(), headersAt(timestamp), body).stderr, /wrong signature/);
  assert.match(run(secret, headersAt(timestamp - 400), body).stderr, /too old/);
});

it('the Go snippet accepts what Kiln signs, and nothing else', { skip: !isThere('go', 'version') }, () => {
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
  // Whatever it needs it has: nothing is fetched.
  const settings = ['GOPROXY=off', 'GOTOOLCHAIN=local', 'CGO_ENABLED=0', `GOCACHE=${join(directory, 'cache')}`];
  const build = [...settings, 'go', 'build', '-o', 'verify', '.'];
  const built = spawnSync('env', build, { cwd: join(directory, 'module'), encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
  const run = (input: object) =>
    spawnSync(join(directory, 'module/verify'), { input: JSON.stringify(input), encoding: 'utf8' }).stdout;
  const headers = headersAt(timestamp);
  assert.equal(run({ secret, headers, body }), '<nil>');
  assert.equal(run({ secret: other, headers, body }), '<nil>');
  assert.equal(run({ secret: newSecret(), headers, body }), 'wrong signature');
  assert.equal(run({ secret, headers, body: `${body} ` }), 'wrong signature');
  assert.equal(run({ secret, headers: headersAt(timestamp - 400), body }), 'too old');
});
