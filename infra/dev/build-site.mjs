// Builds the files that browsers load into `site`, with a compressed copy of each script and style, unless nothing has changed since the last build. It runs after `tsc -b`, which
// checks the types and builds the SDK.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

const INPUTS = [
  'build-site.mjs',
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'package.json',
  '../sdk/src',
  '../../pnpm-lock.yaml',
];

/** `folder` is that of the package, `otherInputs` what it imports beside the SDK, and `importVite` resolves to Vite. */
export async function buildSite({ folder, otherInputs = [], importVite }) {
  const site = join(folder, 'site');
  const stampPath = join(site, '.inputs');
  const stamp = hashOf(folder, [...INPUTS, ...otherInputs]);
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp) return;
  const { build } = await importVite();
  await build({ root: folder, configFile: join(folder, 'vite.config.ts'), logLevel: 'warn' });
  for (const path of filesIn(join(site, 'assets')))
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  writeFileSync(stampPath, stamp);
}

function hashOf(folder, names) {
  const hash = createHash('sha256');
  for (const path of names.flatMap((name) => filesIn(join(folder, name)))) {
    const content = readFileSync(path);
    hash.update(`${relative(folder, path)} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** The path itself if it is a file. In order, so that the hash depends on the content only. */
function filesIn(path) {
  if (!existsSync(path)) return [];
  const entries = readdirSync(dirname(path), { withFileTypes: true });
  if (entries.some((entry) => entry.isFile() && join(dirname(path), entry.name) === path)) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.spec\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
