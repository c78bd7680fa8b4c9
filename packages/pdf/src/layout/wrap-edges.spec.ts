import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import { segmentsOf } from '../words/rows.js';
import { linesOf } from './text-lines.js';
import { wrapEdges } from './wrap-edges.js';

/** The edges of lines that follow each other below a head. The head ends at 500. */
function edgesOf(texts: readonly string[]): number[] {
  const words = texts.flatMap((text, index) => placedWords(50, 140 + index * 12, text));
  const lines = linesOf(segmentsOf([...placedWords(50, 60, 'Gazette'), ...placedWords(480, 60, '1234'), ...words]));
  const edges = wrapEdges(lines);
  return lines.slice(1).map((line) => Math.round(edges.get(line) ?? 0));
}
const column = [
  'Kilns heat clay until it becomes stone and',
  'good ones lose little of their heat while',
  'they do so because their walls are thick',
  'and their doors are closed with fire brick',
  'when the fire is lit.',
];
const widest = Math.max(...column.flatMap((text) => placedWords(50, 0, text)).map(({ right }) => right));

describe('wrapEdges', () => {
  it('are the edge of a narrow column, although a head runs across the page', () => {
    expect(edgesOf(column)).toStrictEqual(column.map(() => widest));
  });

  it('are those of the column also for its short paragraphs', () => {
    const words = column.flatMap((text, index) => placedWords(50, 140 + index * 12, text));
    const others = [...placedWords(50, 260, 'Two probes are enough to'), ...placedWords(50, 272, 'fire it well.')];
    const lines = linesOf(
      segmentsOf([...placedWords(50, 60, 'The whole width of the page'.repeat(4)), ...words, ...others]),
    );
    const edges = wrapEdges(lines);
    expect(lines.slice(-2).map((line) => edges.get(line))).toStrictEqual([widest, widest]);
  });

  it('are the edge of the region for lines that an author has ended', () => {
    const addresses = [
      'Messrs. Potter and Lin, Climbing Kilns and Furniture',
      'Clay Lane',
      'The Old Brickworks, Upper Third Floor, Room 12',
      'Thalwil',
      'Telephone and telegrams before noon only, please',
    ];
    const calls = ['fire(kiln, "slowly", until)', 'fire(kiln, "slowly", until, x)', 'fire(kiln, "fast", a, b)'];
    const verses = [
      'The Fire Is Lit And All The Potters Wait For',
      'A Night And Day Until The Cones Will Bend',
      'To Open Doors And Carry Out The Ware In',
      'Their Arms',
    ];
    for (const lines of [addresses, [...calls, ...calls], verses])
      expect(new Set(edgesOf(lines))).toStrictEqual(new Set([500]));
  });
});
