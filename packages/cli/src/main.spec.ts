// Real: the program as a process, with its pipes.
import { afterAll, expect, it } from '@jest/globals';
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../bin/kiln.js', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'kiln-main-'));
const config = join(directory, 'config.json');
writeFileSync(config, '{"profiles":{"one":{"url":"http://127.0.0.1:1"}}}', { mode: 0o600 });
afterAll(() => rmSync(directory, { recursive: true }));

/** `stdio` has a pipe for stderr. */
const start = (words: readonly string[], stdio: StdioOptions) =>
  spawn(process.execPath, [bin, ...words], {
    stdio,
    env: { KILN_CONFIG_DIR: directory },
    cwd: directory,
  }) as ChildProcess & { stderr: Readable };

it('a command goes on when nobody reads its messages any more', async () => {
  const program = start(['config', 'use', 'one'], ['ignore', 'ignore', 'pipe']);
  program.stderr.destroy();
  expect(await once(program, 'exit')).toStrictEqual([0, null]);
});

(existsSync('/dev/full') ? it : it.skip)(
  'a command says why its output cannot be written, and ends with 1',
  async () => {
    const program = start(['config', 'show'], ['ignore', openSync('/dev/full', 'w'), 'pipe']);
    const [said, [exit]] = await Promise.all([text(program.stderr), once(program, 'exit')]);
    expect([said, exit]).toStrictEqual([expect.stringMatching(/^error: .*ENOSPC.*\n$/), 1]);
  },
);
