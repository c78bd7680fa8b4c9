/**
 * Finds the compiled test files by their sources: what lies in a dist folder without a source is a leftover of a
 * deleted file and must not run.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LauncherError } from '../errors.js';

export type SpecKind = 'unit' | 'integration' | 'acceptance';

/** Paths relative to the repository, sorted. Throws when a source was not compiled. */
export function findSpecs(repository: string, kind: SpecKind): string[] {
  const compiled = workspaceFolders(repository)
    .filter((folder) => (folder === 'acceptance') === (kind === 'acceptance'))
    .flatMap((folder) => compiledSpecs(repository, folder))
    .filter((path) => kind === 'acceptance' || path.endsWith('.int.spec.js') === (kind === 'integration'));
  const missing = compiled.filter((path) => !existsSync(join(repository, path)));
  if (missing.length > 0) throw new LauncherError('entry_missing', `Not compiled: ${missing.join(', ')}. Run: tsc -b`);
  return compiled.sort();
}

function workspaceFolders(repository: string): string[] {
  const groups = ['packages', 'services', 'infra'].flatMap((group) =>
    readdirSync(join(repository, group)).map((name) => `${group}/${name}`),
  );
  return [...groups, 'acceptance', 'bench'].filter((folder) => existsSync(join(repository, folder, 'src')));
}

function compiledSpecs(repository: string, folder: string): string[] {
  return readdirSync(join(repository, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.spec.ts'))
    .map((path) => `${folder}/dist/${path.replace(/\.ts$/, '.js')}`);
}
