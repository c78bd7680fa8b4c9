/**
 * Adds to a number what its cell shows besides it: a currency, a unit, a prefix, leading zeros. OpenDocument files hold both the value of
 * a cell and its text.
 */

const besideCharactersMax = 40;
const numberWithin = /^(\D*)(\d(?:.*\d)?)(\D*)$/s;
/** Leading zeros, or characters between the digits that separate neither thousands nor decimals. */
const identifier = /^0\d|[^\d.,'’\s]/;

/** `value` in digits, and the text of its cell: `1234.5` and `1.234,50 €` make `1234.5 €`. */
export function shownNumber(value: string, shown: string): string {
  const [, before = '', core = '', after = ''] = numberWithin.exec(shown.trim()) ?? [];
  if (core === '' || Math.max(before.length, core.length, after.length) > besideCharactersMax) return value;
  const digits = core.replace(/\D/g, '');
  if (identifier.test(core)) return digits.replace(/^0+(?=\d)/, '') === value ? shown.trim() : value;
  const size = value.replace('-', '');
  const [integer = ''] = size.split('.');
  // A cell that shows thousands or millions has other digits.
  if (!digits.startsWith(integer) && digits !== String(Math.round(Number(size)))) return value;
  return value === size
    ? before + value + after
    : `-${before.replace(/[-\u2212(]/, '')}${size}${after.replace(')', '')}`;
}
