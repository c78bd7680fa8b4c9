/**
 * Prints a line per file, the failures of a file at once, and the slowest files at the end. The step that started the run reads the
 * totals from the file named by KILN_TEST_TOTALS; without it, they are printed.
 */
import type { AggregatedResult, Reporter, Test, TestContext, TestResult } from '@jest/reporters';
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { totalsFile } from '../test-run/config.js';
import { totalsLine, totalsOf } from '../test-run/totals.js';

const SLOWEST = 10;

export default class KilnReporter implements Reporter {
  readonly #files: { readonly path: string; readonly seconds: number }[] = [];

  onTestResult(test: Test, result: TestResult): void {
    const path = relative(test.context.config.rootDir, test.path).replace('/dist/', '/src/').replace(/\.js$/, '.ts');
    const seconds = ((result.perfStats.end ?? 0) - (result.perfStats.start ?? 0)) / 1_000;
    this.#files.push({ path, seconds });
    const failed = result.numFailingTests > 0 || result.testExecError !== undefined;
    print(`${failed ? 'FAIL' : 'pass'} ${seconds.toFixed(1).padStart(6)} s  ${path}`);
    for (const { message, origin } of result.console ?? []) print(`${message}\n${origin}`);
    if (result.failureMessage) print(result.failureMessage.trimEnd());
  }

  onRunComplete(_contexts: Set<TestContext>, results: AggregatedResult): void {
    const slowest = this.#files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
    print(`Slowest of ${this.#files.length} specs:`);
    for (const { path, seconds } of slowest) print(`  ${seconds.toFixed(1).padStart(6)} s  ${path}`);
    const totals = totalsOf(results);
    const file = totalsFile();
    if (file === undefined) print(totalsLine(totals));
    else writeFileSync(file, JSON.stringify(totals));
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
