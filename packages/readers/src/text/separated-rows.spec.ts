import { describe, expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { separatedRows, UnclosedQuoteError } from './separated-rows.js';
import { TableRows } from './table-rows.js';

const rowsOf = (text: string, hasQuotes = true): string[][] => [...separatedRows(text, ',', hasQuotes)];
const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;

describe('rows of separated values', () => {
  it('are what was written, whatever their values and lengths', () => {
    const value = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'é'), maxLength: 6 });
    const rows = fc.array(fc.array(value, { minLength: 1, maxLength: 5 }), { maxLength: 5 });
    fc.assert(
      fc.property(rows, fc.constantFrom('\n', '\r\n', '\r'), fc.boolean(), (written, lineEnd, endsWithIt) => {
        const text = written.map((row) => row.map(quoted).join(',')).join(lineEnd);
        expect(rowsOf(endsWithIt ? text + lineEnd : text)).toStrictEqual(written);
      }),
      { seed: testSeed() },
    );
  });

  it('may be unquoted, and may end without a line end or with an empty value', () => {
    expect(rowsOf('a,b\n\r\n\n1\n,\n2,')).toStrictEqual([['a', 'b'], ['1'], ['', ''], ['2', '']]);
    expect(rowsOf('')).toStrictEqual([]);
    expect(rowsOf('""\n')).toStrictEqual([['']]);
  });

  it('keep quotes that do not enclose the whole value', () => {
    expect(rowsOf('"a"b,c "d" e,"f""g"h"\n1')).toStrictEqual([['"a"b', 'c "d" e', '"f"g"h"'], ['1']]);
    expect(rowsOf('a,"b\nc', false)).toStrictEqual([['a', '"b'], ['c']]);
    expect(() => rowsOf('a,"b""\nc')).toThrow(UnclosedQuoteError);
  });

  it('are refused after as many of them as padded fill the limit, not after all', () => {
    const columns = 20_000;
    let read = 0;
    const addAll = (text: string): void => {
      const table = new TableRows('a.csv', 1_000_000);
      for (const row of separatedRows(text, ',', true)) {
        read++;
        table.add(row);
      }
    };
    const [wide, short] = [`${','.repeat(columns)}x\n`, '1\n'.repeat(50_000)];
    expect(() => addAll(wide + short)).toThrow(/more than 976.6 KiB|more than 977 KiB/);
    expect(read).toBeLessThan(20);
    // Short rows are padded when a wide one follows.
    read = 0;
    expect(() => addAll('1\n'.repeat(100) + wide + short)).toThrow(/of markdown/);
    expect(read).toBe(101);
  });
});
