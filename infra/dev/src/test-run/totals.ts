/** The number of passed, failed and skipped tests. */
import type { TestResult } from '@jest/reporters';

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const NO_TESTS: Totals = { passed: 0, failed: 0, skipped: 0 };

type Counts = Pick<
  TestResult,
  'numPassingTests' | 'numFailingTests' | 'numPendingTests' | 'numTodoTests' | 'testExecError'
>;

/** The totals of one file. A file that could not run, or left a resource open, counts as one failed test. */
export function totalsOf(file: Counts): Totals {
  return {
    passed: file.numPassingTests,
    failed: file.numFailingTests + (file.testExecError == null ? 0 : 1),
    skipped: file.numPendingTests + file.numTodoTests,
  };
}

export function sumOf(totals: readonly Totals[]): Totals {
  const sum = (count: (one: Totals) => number) => totals.reduce((total, one) => total + count(one), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
  };
}

export function totalsLine({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
