/** Keeps the outputs of flaky files below `.kiln-tests/flaky`, which each run empties first. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FlakyFile } from './repeat-failed.js';

/** Returns the directory. Each file has a folder named after it, with `failed.txt` and `passed.txt`. */
export function keepFlakyOutputs(repository: string, files: readonly FlakyFile[]): string {
  const directory = join(repository, '.kiln-tests/flaky');
  rmSync(directory, { recursive: true, force: true });
  for (const { source, failedOutput, passedOutput } of files) {
    const folder = join(directory, source.replaceAll('/', '-'));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'failed.txt'), failedOutput);
    writeFileSync(join(folder, 'passed.txt'), passedOutput);
  }
  return directory;
}
