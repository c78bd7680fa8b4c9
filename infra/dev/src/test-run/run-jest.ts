/** Runs all specs of one kind with Jest, and each failed file once more. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCache } from '../repository.js';
import { cleanEnvironment } from './config.js';
import { runAndRepeatFailed, type FileResult, type RunResult } from './repeat-failed.js';
import { runCommand, type CommandRun } from './run-command.js';

export type SpecKind = 'unit' | 'integration' | 'acceptance' | 'stress';

const JEST = ['node_modules/jest/bin/jest.js'];

export interface JestRun extends Omit<CommandRun, 'environment'> {
  /** Additional variables. */
  readonly environment?: Readonly<Record<string, string>>;
}

export function runJest(kind: SpecKind, run: JestRun): Promise<RunResult> {
  return runAndRepeatFailed({
    run: (path) =>
      runFiles(['--selectProjects', kind, ...(path ? ['--runInBand', '--runTestsByPath', path] : [])], run),
    report: (line) => console.log(line),
  });
}

async function runFiles(words: readonly string[], run: JestRun): Promise<readonly FileResult[]> {
  const directory = mkdtempSync(join(tmpdir(), 'kiln-results-'));
  const file = join(directory, 'results.json');
  try {
    const environment = { ...cleanEnvironment(), ...compileCache, ...run.environment, KILN_TEST_RESULTS: file };
    const exitCode = await runCommand(process.execPath, [...JEST, ...words], { ...run, environment });
    const results = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as FileResult[]) : [];
    // Jest can fail although no test fails, for example if a signal ends it, and can end before it has run any.
    if (results.length === 0 || (exitCode !== 0 && !results.some(({ totals }) => totals.failed > 0))) {
      throw new Error(
        `Jest ended with exit code ${exitCode ?? 'none'}, without a failed test, after ${results.length} files.`,
      );
    }
    return results;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
