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

it('a process without free file descriptors reads its documents once there are some, and blames none of them before', async () => {
  const { path, outputDirectory } = await scratch.input('a.csv', 'text/csv', 'a,b\n1,2\n');
  const program = fileURLToPath(new URL('../fixtures/without-files.js', import.meta.url));
  // Node raises the soft limit to the hard one.
  const command = 'ulimit -n 80 && exec "$0" "$@"';
  const reader = spawn('/bin/sh', ['-c', command, process.execPath, program, outputDirectory, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const failures = JSON.parse(await text(reader.stdout)) as { isSystemFault: boolean; message: string }[];
  expect(failures.length).toBeGreaterThan(0);
  expect(failures.filter(({ isSystemFault }) => !isSystemFault)).toStrictEqual([]);
});

it('a process of low priority reads its documents', async () => {
  const { path, outputDirectory } = await scratch.input('b.csv', 'text/csv', 'a,b\n1,2\n');
  const sandbox = JSON.stringify(new URL('sandbox.js', import.meta.url).href);
  const options = JSON.stringify({ processes: 1, isolation: 'preferred', directory: outputDirectory });
  const input = JSON.stringify({ path, filename: 'b.csv', contentType: 'text/csv', outputDirectory });
  const program = `const sandbox = (await import(${sandbox})).createSandbox(${options});
    const { markdownBytes } = await sandbox.extract(${input}, new AbortController().signal);
    console.log(markdownBytes);
    await sandbox.close();`;
  const reader = spawn('nice', ['-n', '15', process.execPath, '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(Number(await text(reader.stdout))).toBeGreaterThan(0);
});
