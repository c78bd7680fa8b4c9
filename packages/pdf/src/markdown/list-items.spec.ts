import { describe, expect, it } from '@jest/globals';
import type { TextBlock } from '../layout/block.js';
import { writeBlocks } from './write-page.js';

const block = (left: number, top: number, markdown: string): TextBlock =>
  ({ kind: 'text', left, top, size: 10, markdown, plain: markdown, code: null }) as TextBlock;
const written = (...blocks: TextBlock[]): string[] => writeBlocks(blocks, new Map()).split('\n');

describe('the items of a list', () => {
  it('are nested as they are indented', () => {
    expect(
      written(
        block(50, 100, '1. Open the kiln'),
        block(70, 112, '• with gloves'),
        block(90, 124, '• of wool'),
        block(70, 136, '• and glasses\non the nose'),
        block(50, 148, '2. Close it'),
      ),
    ).toStrictEqual([
      '1. Open the kiln',
      '   - with gloves',
      '     - of wool',
      '   - and glasses',
      '     on the nose',
      '2. Close it',
    ]);
  });

  it('are not nested in the next column, far to the right, or in a text that runs to the left', () => {
    expect(written(block(50, 700, '• gas'), block(75, 100, '• wood'))).toStrictEqual(['- gas', '- wood']);
    expect(written(block(50, 100, '• gas'), block(300, 112, '• wood'))).toStrictEqual(['- gas', '- wood']);
    expect(written(block(50, 100, '• אחד'), block(75, 112, '• שניים'))).toStrictEqual(['- אחד', '- שניים']);
  });
});
