// Real: a process that has no free file descriptors, and its sandbox.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Scratch } from '@kiln/readers/fixtures/scratch';

let scratch: Scratch;
beforeEach(async () => {
  scratch = await Scratch.make();
});
afterEach(() => scratch.remove());

/** Reads a document in a process that has few file descriptors, and returns its failures. */
async function failuresOf(...command: string[]): Promise<{ isSystemFault: boolean }[]> {
  const { path, outputDirectory } = await scratch.input('a.csv', 'text/csv', 'a,b\n1,2\n');
  const program = fileURLToPath(new URL('../fixtures/without-files.js', import.meta.url));
  // Node raises the soft limit to the hard one.
  const shell = ['-c', 'ulimit -n 80 && exec "$0" "$@"', ...command];
  const reader = spawn('/bin/sh', [...shell, process.execPath, program, outputDirectory, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(reader.stdout)) as { isSystemFault: boolean }[];
}

it('a process without free file descriptors reads its documents once there are some, and blames none of them before', async () => {
  const failures = await failuresOf();
  expect(failures.length).toBeGreaterThan(0);
  expect(failures.filter(({ isSystemFault }) => !isSystemFault)).toStrictEqual([]);
});

it('so does a process of low priority', async () => {
  const failures = await failuresOf('/usr/bin/nice', '-n', '15');
  expect(failures.filter(({ isSystemFault }) => !isSystemFault)).toStrictEqual([]);
});
