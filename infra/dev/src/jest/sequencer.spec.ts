import { describe, expect, it } from '@jest/globals';
import type { Test } from '@jest/reporters';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SlowFirst from './sequencer.js';

describe('the order of spec files', () => {
  it('has slow files first, then the largest', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kiln-order-'));
    const files = { small: '//', large: '// '.repeat(100), slow: '/** @slow */\n', slower: '/** @slow */\n// more' };
    const context = { config: { cache: false }, hasteFS: { getSize: (path: string) => statSync(path).size } };
    const tests = Object.entries(files).map(([name, text]) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return { path, context } as unknown as Test;
    });
    try {
      const sorted = new SlowFirst({ contexts: [], globalConfig: {} as never }).sort(tests);
      expect(sorted.map(({ path }) => path.slice(folder.length + 1))).toStrictEqual([
        'slower',
        'slow',
        'large',
        'small',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
