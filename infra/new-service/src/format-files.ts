import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Formats files of a repository with its own settings. Files in a language without a formatter stay as they are. */
export function formatFiles(repository: string, paths: readonly string[]): void {
  const prettier = join(repository, 'node_modules/prettier/bin/prettier.cjs');
  execFileSync(process.execPath, [prettier, '--write', '--ignore-unknown', '--log-level=warn', ...paths], {
    cwd: repository,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
