import { describe, expect, it } from '@jest/globals';
import type { Region } from '../layout/page-pieces.js';
import { placePieces } from './place-pieces.js';

const regionAt = (at: number): Region => [at, 0, 1, 1];
/** The texts that were found, each with the number of its piece. */
function found(markdown: string, texts: readonly string[]): [number, string][] {
  const pieces = texts.map((text, at) => ({ text, region: regionAt(at) }));
  return placePieces(markdown, pieces, 0).map(([start, end, at]) => [at, markdown.slice(start, end)]);
}

describe('the pieces of a page', () => {
  it('are found in its markdown, whatever its marks, hyphens and line ends', () => {
    const markdown =
      '## A *report*\n\n- kilns are fired\n  at 1,200 \\[degrees\\], see [the manual](http://a.b/manual) now';
    const pieces = ['A report', '• kilns are', 'fired at 1,200 [de-', 'grees], see', 'the manual', 'now'];
    expect(found(markdown, pieces)).toStrictEqual([
      [0, 'A *report'],
      [1, 'kilns are'],
      [2, 'fired\n  at 1,200 \\[de'],
      [3, 'grees\\], see'],
      [4, 'the manual'],
      [5, 'now'],
    ]);
  });

  it('of a table are found where their cells are, also if these have several lines', () => {
    const markdown = '| kiln one | 5 | red |\n| --- | --- | --- |\n| two | 5 | blue green |\n\nblue';
    const pieces = ['kiln', '5', 'red', 'one', 'two', '5', 'blue', 'green', 'blue'];
    expect(found(markdown, pieces)).toStrictEqual([
      [0, 'kiln'],
      [3, 'one'],
      [1, '5'],
      [2, 'red'],
      [4, 'two'],
      [5, '5'],
      [6, 'blue'],
      [7, 'green'],
      [8, 'blue'],
    ]);
  });

  it('that the markdown does not have are left out', () => {
    expect(found('one two', ['one', 'three', '', '—', 'two'])).toStrictEqual([
      [0, 'one'],
      [4, 'two'],
    ]);
  });

  it('in the order of the markdown are all found, once each, with the offsets of the document', () => {
    const words = Array.from({ length: 300 }, (_, at) => `${'🔥'.repeat(at % 3)}${'abé1'.slice(at % 4)}${at % 7}`);
    const markdown = words.join(' ');
    const pieces = words.map((text, at) => ({ text, region: regionAt(at) }));
    const placed = placePieces(markdown, pieces, 1_000);
    expect(placed.map(([, , at]) => at)).toStrictEqual(words.map((_, at) => at));
    for (const [start, end, at] of placed) {
      expect(markdown.slice(start - 1_000, end - 1_000)).toBe(words[at]?.replaceAll('🔥', ''));
    }
  });

  it('take time in proportion to their number, also if all are alike', () => {
    const pieces = Array.from({ length: 5_000 }, () => 'a').toReversed();
    expect(found('a '.repeat(5_000), pieces)).toHaveLength(5_000);
    expect(found('b '.repeat(5_000), pieces)).toStrictEqual([]);
  });
});
