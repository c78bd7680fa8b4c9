/** Runs all specs of one kind with Jest, also after a failure, and returns the totals. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnvironment } from './config.js';
import { runCommand, type CommandRun } from './run-command.js';
import { NO_TESTS, type Totals } from './totals.js';

export type SpecKind = 'unit' | 'integration' | 'acceptance';

export async function runJest(kind: SpecKind, run: Omit<CommandRun, 'environment'>): Promise<Totals> {
  const directory = mkdtempSync(join(tmpdir(), 'kiln-results-'));
  const file = join(directory, 'totals.json');
  try {
    const environment = { ...cleanEnvironment(), KILN_TEST_TOTALS: file };
    const exitCode = await runCommand('npm', ['run', '--silent', 'jest', '--', '--selectProjects', kind], {
      ...run,
      environment,
    });
    const totals = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Totals) : NO_TESTS;
    // Jest can fail although no test fails, for example if a signal ends it.
    return exitCode !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
