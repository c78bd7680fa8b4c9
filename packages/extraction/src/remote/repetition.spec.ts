import { expect, test } from '@jest/globals';
import { isRepetitive } from './repetition.js';

/** Sentences that all differ. */
const report = (sentences: number) =>
  Array.from({ length: sentences }, (_, at) => `Kiln ${at} fired ${(at * 7919) % 10_007} pots.`).join(' ');

test('a loop is found wherever it begins, whatever the length of its unit', () => {
  const units = ['Thank you. ', 'na ', '谢谢', 'The table continues on the next page, as it did before. ', report(40)];
  for (const unit of units) {
    const loop = unit.repeat(Math.ceil(40_000 / unit.length));
    for (const before of ['', report(3), report(100)]) {
      expect(isRepetitive(`${before}${loop}`)).toBe(true);
      expect(isRepetitive(`${before}${loop}${report(100)}`)).toBe(true);
    }
  }
});

test('a loop is found although its spacing and its marks change', () => {
  const rows = Array.from({ length: 400 }, (_, at) => `${at % 2 === 0 ? '|' : '\n-'} no value ${'.'.repeat(at % 5)}`);
  expect(isRepetitive(rows.join(' '))).toBe(true);
});

test('a loop of digits is found when it has more of them than a page', () => {
  for (const unit of ['0 ', '| 0.00 ', '2024-01-01 ']) expect(isRepetitive(unit.repeat(6_000))).toBe(true);
});

test('text of documents is no loop: reports, choruses, zeros, rules and short repetitions', () => {
  const chorus = `${report(10)} ${'Roll on, river, roll on. '.repeat(8)}`;
  const texts = [
    '',
    report(5_000),
    chorus.repeat(3),
    '| 0 '.repeat(3_500),
    `| a | b |\n|${' --- |'.repeat(2_000)}`,
    '. '.repeat(20_000),
    'Thank you. '.repeat(20),
  ];
  for (const text of texts) expect(isRepetitive(text)).toBe(false);
});

// Quadratic time would be most of an hour.
test('the search ends, also on text that is made to mislead it', () => {
  // Almost a loop: each stretch ends with another character.
  const misleading = Array.from({ length: 2_000 }, (_, at) => `${'a'.repeat(999)}${String.fromCodePoint(0x4e00 + at)}`);
  expect(isRepetitive(misleading.join(''))).toBe(false);
});
