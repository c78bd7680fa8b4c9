/**
 * The order of the spec files: the longest of the last run come first, or the largest. Before all others come the files that begin with the comment `@slow`,
 * because a long file that begins last runs alone.
 */
import type { Test } from '@jest/reporters';
import { closeSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { default: TestSequencer } = require('@jest/test-sequencer') as typeof import('@jest/test-sequencer');

const SLOW = '/** @slow */';

export default class SlowFirst extends TestSequencer {
  override sort(tests: Test[]): Test[] {
    const inOrder = super.sort(tests) as Test[];
    const slow = new Set(inOrder.filter(({ path }) => isSlow(path)));
    return [...slow, ...inOrder.filter((test) => !slow.has(test))];
  }
}

function isSlow(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const beginning = Buffer.alloc(SLOW.length);
    readSync(file, beginning);
    return beginning.toString() === SLOW;
  } finally {
    closeSync(file);
  }
}
