/** The last release, built from its commit in a folder next to the outputs of tests. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { readLastRelease } from './release-file.js';

export interface BuiltRelease {
  readonly version: string;
  readonly directory: string;
}

/** Null if the history of this checkout does not reach back to the release. Installs and builds once. */
export function buildLastRelease(): BuiltRelease | null {
  const { version, commit } = readLastRelease();
  const git = { cwd: repositoryDirectory, stdio: 'ignore' } as const;
  if (spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], git).status !== 0) return null;
  const directory = join(repositoryDirectory, '.kiln-tests/releases', version);
  const marker = join(directory, '.kiln-built');
  if (!existsSync(marker)) {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    const sources = `${directory}.tar`;
    execFileSync('git', ['archive', '--output', sources, commit], { cwd: repositoryDirectory });
    execFileSync('tar', ['-xf', sources, '-C', directory]);
    rmSync(sources);
    execFileSync(process.execPath, ['infra/dev/bootstrap.mjs'], { cwd: directory, stdio: 'ignore' });
    writeFileSync(marker, `${commit}\n`);
  }
  return { version, directory };
}
