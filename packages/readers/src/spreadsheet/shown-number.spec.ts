import { describe, expect, it } from '@jest/globals';
import { shownNumber } from './shown-number.js';

describe('the number of a cell that shows it in its own way', () => {
  it.each([
    ['1234.5', '1.234,50 €', '1234.5 €'],
    ['1234.5', '$1,234.50', '$1234.5'],
    ['-1234.5', '(1.234,50 €)', '-1234.5 €'],
    ['-1234.5', '-$1,234.50', '-$1234.5'],
    ['0.5', '0,50 €', '0.5 €'],
    ['3.6', '4 kg', '3.6 kg'],
    ['42', 'INV-0042', 'INV-0042'],
    ['123456789', '123-45-6789', '123-45-6789'],
  ])('%s, shown as %s, is written as %s', (value, shown, written) => {
    expect(shownNumber(value, shown)).toBe(written);
  });

  it.each([
    ['1234567', '1.2M'],
    ['1234567', '1,235 k'],
    ['1000', '1.00E+03'],
    ['1.5', '1 1/2'],
    ['1234.5', '1,234.50'],
    ['3', ''],
    ['3', 'a'.repeat(50) + '3'],
  ])('%s, shown as "%s", is only the number', (value, shown) => {
    expect(shownNumber(value, shown)).toBe(value);
  });
});
