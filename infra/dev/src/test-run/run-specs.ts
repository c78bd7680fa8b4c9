/** Runs compiled test files with Node's own runner and counts the results. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface SpecRun {
  readonly repository: string;
  readonly files: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** A file that takes longer fails. */
  readonly fileTimeoutSeconds: number;
  readonly signal: AbortSignal;
}

/** Runs every file, also after a failure. */
export async function runSpecs(run: SpecRun): Promise<Totals> {
  const directory = mkdtempSync(join(tmpdir(), 'kiln-results-'));
  const results = join(directory, 'results.tap');
  try {
    const exitCode = await runToEnd(
      process.execPath,
      [
        '--test',
        '--enable-source-maps',
        `--test-concurrency=${availableParallelism()}`,
        `--test-timeout=${run.fileTimeoutSeconds * 1_000}`,
        '--test-reporter=spec',
        '--test-reporter-destination=stdout',
        '--test-reporter=tap',
        `--test-reporter-destination=${results}`,
        ...run.files,
      ],
      run,
    );
    const totals = parseTotals(readFileSync(results, 'utf8'));
    // The runner itself can fail without any test failing, for one when it is ended by a signal.
    return exitCode !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The summary a TAP report of Node's runner ends with. */
export function parseTotals(tap: string): Totals {
  const count = (name: string) =>
    Number(
      tap
        .match(new RegExp(`^# ${name} (\\d+)$`, 'gm'))
        ?.at(-1)
        ?.split(' ')[2] ?? 0,
    );
  return {
    passed: count('pass'),
    failed: count('fail') + count('cancelled'),
    skipped: count('skipped') + count('todo'),
  };
}

/** Runs a command with its output on ours; answers its exit code, null when a signal ended it. */
export async function runToEnd(
  command: string,
  words: readonly string[],
  { repository, environment, signal }: Pick<SpecRun, 'repository' | 'environment' | 'signal'>,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { cwd: repository, env: environment, stdio: ['ignore', 'inherit', 'inherit'] });
    const end = () => void child.kill('SIGTERM');
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    child.once('error', reject);
    child.once('close', (exitCode) => {
      signal.removeEventListener('abort', end);
      resolve(exitCode);
    });
  });
}
