// Real: the program, as a process of its own.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makePdf } from './fixtures/make-pdf.js';

const program = fileURLToPath(new URL('./main.js', import.meta.url));
const run = (path: string) => promisify(execFile)(process.execPath, [program, path]);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-pdf-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the program', () => {
  it('prints the markdown of a PDF', async () => {
    const path = join(folder, 'kiln.pdf');
    await writeFile(path, await makePdf({ pages: [[{ text: 'The kiln is hot.' }]] }));
    expect(await run(path)).toStrictEqual({ stdout: 'The kiln is hot.\n', stderr: '' });
  });

  it('says what is wrong with a path or a file', async () => {
    const missing = join(folder, 'none.pdf');
    await expect(run(missing)).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: `There is no file "${missing}".\n`,
    });
    const other = join(folder, 'text.pdf');
    await writeFile(other, 'This is text.');
    await expect(run(other)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^"text.pdf" could not be read as a PDF: .*\n$/),
    });
  });
});
