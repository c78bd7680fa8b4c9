// Which files `kiln up` finds on disk.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const FILES = 14_000;
/** Enough for the program. A call with all files as its arguments needs more. */
const STACK_KILOBYTES = 100;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kiln-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('all files of a folder, however many', async () => {
  mkdirSync(join(folder, 'inner'));
  for (let number = 0; number < FILES; number++) writeFileSync(join(folder, `inner/${number}`), '');
  const program = `
    const { findFiles } = await import(${JSON.stringify(new URL('find-files.js', import.meta.url).href)});
    console.log((await findFiles([${JSON.stringify(folder)}], [])).length);`;
  const words = [`--stack-size=${STACK_KILOBYTES}`, '--input-type=module', '--eval', program];
  expect(await promisify(execFile)(process.execPath, words)).toMatchObject({ stdout: `${FILES}\n` });
});
