// Compiles the Go snippet of docs/webhooks.md with the standard library, and runs it. Real: Go, if it is installed.
import { afterAll, expect, it } from '@jest/globals';
import { newSecret } from '@kiln/platform';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { body, headersAt, isInstalled, other, secret, snippet, timestamp } from './signed-delivery.js';

const directory = mkdtempSync(join(tmpdir(), 'kiln-snippets-'));
afterAll(() => rmSync(directory, { recursive: true }));

(isInstalled('go', 'version') ? it : it.skip)('the Go snippet accepts what Kiln signs, and nothing else', () => {
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
