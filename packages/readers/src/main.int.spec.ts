// Real: the program, as a process of its own.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeDocx, paragraph } from './fixtures/make-docx.js';
import { makeZip } from './fixtures/make-zip.js';

const program = fileURLToPath(new URL('./main.js', import.meta.url));
const run = (path: string) => promisify(execFile)(process.execPath, [program, path]);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-readers-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the program', () => {
  it('prints the markdown of a Word document', async () => {
    const path = join(folder, 'kiln.docx');
    await writeFile(path, makeDocx(paragraph('The kiln is hot.')));
    expect(await run(path)).toStrictEqual({ stdout: 'The kiln is hot.\n', stderr: '' });
  });

  it('says what is wrong with a path or a file', async () => {
    const missing = join(folder, 'none.docx');
    await expect(run(missing)).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: `There is no file "${missing}".\n`,
    });
    const archive = join(folder, 'clay.zip');
    await writeFile(archive, makeZip({ 'a.bin': Buffer.from('clay') }));
    await expect(run(archive)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Files of type application\/zip cannot be read here\. .*\n$/),
    });
  });
});
