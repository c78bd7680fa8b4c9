import { expect, it } from '@jest/globals';
import { contentsInAnswer } from './contents-in-answer.domain.js';

const BYTES_MAX = 800_000;

it('keeps all texts that fit, beside variants in objects', () => {
  const contents = ['# a', null, 'ü'.repeat(65_536)];
  expect(contentsInAnswer(contents, BYTES_MAX)).toStrictEqual(contents);
});

it('measures texts as JSON, and leaves out those that do not fit', () => {
  const [plain, control] = ['x'.repeat(65_536), '\u0001'.repeat(65_536)];
  const fitting = contentsInAnswer([control, control, control, plain, null], BYTES_MAX);
  expect(fitting.map((content) => content?.[0] ?? null)).toStrictEqual(['\u0001', '\u0001', null, null, null]);
  expect(Buffer.byteLength(JSON.stringify(fitting))).toBeLessThan(BYTES_MAX);
  const others = contentsInAnswer([control, plain, control, plain], BYTES_MAX - 100_000);
  expect(others.map((content) => content?.[0] ?? null)).toStrictEqual(['\u0001', 'x', null, 'x']);
});
