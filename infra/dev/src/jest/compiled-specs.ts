/** Finds compiled specs whose source was deleted. They must not run. A source that was not compiled fails the run. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LauncherError } from '../errors.js';

/** Absolute paths. Throws if a source was not compiled. */
export function leftoverSpecs(repository: string): string[] {
  const folders = workspaceFolders(repository).map((folder) => join(repository, folder));
  const compiled = new Set(folders.flatMap((folder) => specsIn(join(folder, 'dist'), '.spec.js')));
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

function specsIn(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => join(folder, path));
}

function workspaceFolders(repository: string): string[] {
  const groups = ['packages', 'services', 'infra'].flatMap((group) =>
    readdirSync(join(repository, group)).map((name) => `${group}/${name}`),
  );
  return [...groups, 'acceptance', 'bench'].filter((folder) => existsSync(join(repository, folder, 'src')));
}
