import { describe, expect, it } from '@jest/globals';
import { cleanLine } from './clean.js';
import { formatBytes, formatSeconds, formatTime } from './format.js';
import { bar, Progress } from './progress.js';
import { cut, writeTable } from './table.js';
import type { Channel } from './terminal.js';

it('bytes, durations and times have one form', () => {
  expect([0, 999, 1_000, 99_940, 999_999, 12_345_678, 5e12].map(formatBytes)).toStrictEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '99.9 kB',
    '1.0 MB',
    '12.3 MB',
    '5.0 TB',
  ]);
  expect([5, 65, 7_209].map(formatSeconds)).toStrictEqual(['0:05', '1:05', '2:00:09']);
  const now = new Date('2026-11-27T09:00:00Z');
  const times = ['2026-11-27 08:59:59', '2026-11-25T09:00:00.000Z', '2026-11-27T10:30:00Z'];
  expect(times.map((time) => formatTime(time, now))).toStrictEqual(['1 s ago', '2 d ago', 'in 1 h']);
});

it('a text is cut by its width on the terminal, not by its characters', () => {
  expect([cut('abcdef', 6), cut('abcdef', 4), cut('日本語の文書', 7)]).toStrictEqual(['abcdef', 'abc…', '日本語…']);
});

it('a table has any number of rows', () => {
  const rows = Array.from({ length: 150_000 }, (_, at) => ({ id: String(at) }));
  let lines = 0;
  const channel = { isTerminal: true, columns: 80, hasColors: false, write: () => void (lines += 1) };
  writeTable(channel, rows, [{ field: 'id', title: 'ID' }], new Date());
  expect(lines).toBe(rows.length + 1);
});

it('a line has neither control characters nor directions', () => {
  expect(cleanLine('a\u001B]0;x\u0007\r\n\u202Eb')).toBe('a�]0;x� �b');
});

describe('progress', () => {
  const written: string[] = [];
  const channel = (isTerminal: boolean): Channel => ({
    isTerminal,
    columns: 20,
    hasColors: false,
    write: (text) => void written.push(text),
  });

  it('is lines without a block where there is no terminal', () => {
    written.length = 0;
    const progress = new Progress(channel(false));
    progress.show(['block']);
    progress.log('line');
    progress.end();
    expect(written).toStrictEqual(['line\n']);
  });

  it('on a terminal is one block below the lines, which is removed at the end', () => {
    written.length = 0;
    const progress = new Progress(channel(true));
    progress.show(['one', 'a line that is longer than the terminal']);
    progress.log('line');
    progress.end();
    progress.show(['late']);
    progress.log('after');
    expect(written).toStrictEqual(['line\n', 'one\n', 'a line that is lon…\n', '\u001B[2A\u001B[0J', 'after\n']);
  });

  it('has a bar', () => {
    expect([bar(0, 12), bar(0.5, 12), bar(2, 12)]).toStrictEqual(['[..........]', '[#####.....]', '[##########]']);
  });
});
