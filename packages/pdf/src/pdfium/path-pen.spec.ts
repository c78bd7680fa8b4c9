import { describe, expect, it } from '@jest/globals';
import type { Rule } from '../page-model.js';
import { Pen } from './path-pen.js';

const [lineTo, curveTo, moveTo] = [0, 1, 2];
type Segment = readonly [type: number, x: number, y: number];
function rulesOf(isStroked: boolean, segments: readonly Segment[], closes = false): Rule[] {
  const pen = new Pen(isStroked, (x, y) => ({ x, y }));
  for (const [index, [type, x, y]] of segments.entries())
    pen.segment(type, x, y, closes && index === segments.length - 1);
  return pen.finish(600, 800);
}
const rectangle = (left: number, top: number, right: number, bottom: number): Segment[] => [
  [moveTo, left, top],
  [lineTo, right, top],
  [lineTo, right, bottom],
  [lineTo, left, bottom],
];

describe('Pen', () => {
  it('takes straight strokes, but no slanted or short ones, and no curves', () => {
    expect(
      rulesOf(true, [
        [moveTo, 10, 10],
        [lineTo, 90, 10],
        [lineTo, 95, 60],
        [lineTo, 97, 60],
        [curveTo, 200, 60],
      ]),
    ).toStrictEqual([{ isHorizontal: true, at: 10, from: 10, to: 90 }]);
  });

  it('closes a stroked rectangle', () => {
    expect(rulesOf(true, rectangle(10, 10, 90, 50), true)).toHaveLength(4);
  });

  it('takes a thin fill as one rule, and a filled rectangle as its edges', () => {
    expect(rulesOf(false, rectangle(10, 10, 90, 11))).toStrictEqual([
      { isHorizontal: true, at: 10.5, from: 10, to: 90 },
    ]);
    expect(rulesOf(false, rectangle(10, 10, 90, 50))).toHaveLength(4);
  });

  it('does not take the background of the page', () => {
    expect(rulesOf(false, rectangle(0, 0, 600, 800))).toStrictEqual([]);
  });
});
