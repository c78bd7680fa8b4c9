import { describe, expect, it } from '@jest/globals';
import { formatNumber, formatOfCode } from './number-format.js';

const shown = (value: number, code: string): string => formatNumber(String(value), formatOfCode(code));

describe('a number of a spreadsheet', () => {
  it.each([
    [42, '"INV-"0000', 'INV-0042'],
    [123456, '"INV-"0000', 'INV-123456'],
    [7, '00000', '00007'],
    [7.5, '000.00', '007.5'],
    [123456789, '000-00-0000', '123-45-6789'],
    [1234567, '000-00-0000', '001-23-4567'],
    [5551234567, '(###) ###-####', '(555) 123-4567'],
    [12, '##-##', '-12'],
    [1234.5, '000-00-0000', '1234.5'],
  ])('%d has the prefix, zeros and inner characters of %s: %s', (value, code, text) => {
    expect(shown(value, code)).toBe(text);
  });

  it.each([
    [1234.5, '"$"#,##0.00', '$1234.5'],
    [-1234.5, '"$"#,##0.00;[Red]\\("$"#,##0.00\\)', '-$1234.5'],
    [1234.5, '_-* #,##0.00\\ [$€-407]_-;-* #,##0.00\\ [$€-407]_-', '1234.5 €'],
    [1234.5, '_($* #,##0.00_);_($* \\(#,##0.00\\);_($* "-"??_);_(@_)', '$1234.5'],
    [12.5, '0.0" kg"', '12.5 kg'],
    [12.5, 'General" units"', '12.5 units'],
    [12.5, '0.0"%"', '12.5%'],
    [1_250_000, '0.00,,"M"', '1.25M'],
    [-3, '+0" °C";-0" °C"', '-3 °C'],
  ])('%d has the currency or the unit of %s: %s', (value, code, text) => {
    expect(shown(value, code)).toBe(text);
  });

  it.each([
    '#,##0.00',
    '# ##0.00',
    '0',
    'General',
    '@',
    '# ?/?',
    '0.00E+00',
    '[>=1000]0.0,"k";0',
    '[Blue]0.00',
    '"Yes";"No"',
    '0"',
  ])('is only a number with the format %s', (code) => {
    expect(shown(1234.5, code)).toBe('1234.5');
  });

  it('has no text of a format that is very long', () => {
    expect(shown(3, `"${'a'.repeat(100)}"0`)).toBe('3');
  });
});
