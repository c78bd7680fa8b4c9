/**
 * Prints a line per file and per skipped test, the failures of a file at once, and the slowest files at the end. The step that started the run reads the
 * results from the file named by KILN_TEST_RESULTS; without it, the totals are printed.
 */
import type { Reporter, Test, TestResult } from '@jest/reporters';
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { resultsFile } from '../test-run/config.js';
import type { FileResult } from '../test-run/repeat-failed.js';
import { sumOf, totalsLine, totalsOf } from '../test-run/totals.js';

const SLOWEST = 10;

export default class KilnReporter implements Reporter {
  readonly #files: (FileResult & { readonly seconds: number })[] = [];

  onTestResult({ path, context }: Test, result: TestResult): void {
    const source = relative(context.config.rootDir, path).replace('/dist/', '/src/').replace(/\.js$/, '.ts');
    const seconds = ((result.perfStats.end ?? 0) - (result.perfStats.start ?? 0)) / 1_000;
    const totals = totalsOf(result);
    const lines = [`${totals.failed > 0 ? 'FAIL' : 'pass'} ${seconds.toFixed(1).padStart(6)} s  ${source}`];
    for (const { message, origin } of result.console ?? []) lines.push(`${message}\n${origin}`);
    for (const { status, fullName } of result.testResults)
      if (status === 'pending') lines.push(`skip            ${fullName}`);
    if (result.failureMessage) lines.push(result.failureMessage.trimEnd());
    const output = lines.join('\n');
    print(output);
    this.#files.push({ path, source, totals, output, seconds });
  }

  onRunComplete(): void {
    const slowest = this.#files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
    print(`Slowest of ${this.#files.length} specs:`);
    for (const { source, seconds } of slowest) print(`  ${seconds.toFixed(1).padStart(6)} s  ${source}`);
    const file = resultsFile();
    if (file === undefined) print(totalsLine(sumOf(this.#files.map(({ totals }) => totals))));
    else writeFileSync(file, JSON.stringify(this.#files));
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
