import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Formats files of a repository with its own settings. Files in a language without a formatter stay as they are. */
export function formatFiles(repository: string, paths: readonly string[]): void {
  const oxfmt = join(repository, 'node_modules/oxfmt/bin/oxfmt');
  execFileSync(process.execPath, [oxfmt, '--no-error-on-unmatched-pattern', ...paths], {
    cwd: repository,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
