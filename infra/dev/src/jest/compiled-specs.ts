/** Finds compiled specs: those whose source was deleted, which must not run, and those that take their data from the seed of the run. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LauncherError } from '../errors.js';

/** Absolute paths. Throws if a source was not compiled. */
export function leftoverSpecs(repository: string): string[] {
  const folders = workspaceFolders(repository);
  const compiled = new Set(compiledSpecs(folders));
  const expected = folders.flatMap((folder) =>
    specsIn(join(folder, 'src'), '.spec.ts').map((path) =>
      path.replace(join(folder, 'src'), join(folder, 'dist')).replace(/\.ts$/, '.js'),
    ),
  );
  const missing = expected.filter((path) => !compiled.has(path));
  if (missing.length > 0) throw new LauncherError('entry_missing', `Not compiled: ${missing.join(', ')}. Run: tsc -b`);
  for (const path of expected) compiled.delete(path);
  return [...compiled];
}

/** Absolute paths of the specs that take their data from the seed of the run, and of those whose random data cannot be made again. */
export function randomSpecs(repository: string): Readonly<Record<'seeded' | 'unseeded', readonly string[]>> {
  const seeded: string[] = [];
  const unseeded: string[] = [];
  for (const path of compiledSpecs(workspaceFolders(repository))) {
    const text = readFileSync(path, 'utf8');
    if (text.includes('testSeed()')) seeded.push(path);
    else if (/ from 'fast-check'|\bMath\.random\(|\brandomInt\(/.test(text)) unseeded.push(path);
  }
  return { seeded, unseeded };
}

function compiledSpecs(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => specsIn(join(folder, 'dist'), '.spec.js'));
}

function specsIn(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => join(folder, path));
}

/** Absolute paths. */
function workspaceFolders(repository: string): string[] {
  const groups = ['packages', 'services', 'infra'].flatMap((group) =>
    readdirSync(join(repository, group)).map((name) => `${group}/${name}`),
  );
  return [...groups, 'acceptance', 'bench']
    .map((folder) => join(repository, folder))
    .filter((folder) => existsSync(join(folder, 'src')));
}
