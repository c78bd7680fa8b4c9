import { expect, it } from '@jest/globals';
import { csvText } from './csv.js';

it('fields with commas, quotes or line breaks are quoted, and what is missing is empty', () => {
  const rows = [
    ['day', 'a "b", c'],
    ['2026-11-27', null],
    ['x\ny', -1.5],
  ];
  expect(csvText(rows)).toBe('day,"a ""b"", c"\r\n2026-11-27,\r\n"x\ny",-1.5\r\n');
});

it('no text is a formula', () => {
  expect(csvText([['=1+1', '+a', '-a', '@a', 'a=b']])).toBe("'=1+1,'+a,'-a,'@a,a=b\r\n");
});
