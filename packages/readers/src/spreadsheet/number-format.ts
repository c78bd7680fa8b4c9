/** Applies the number formats of a spreadsheet (ISO/IEC 29500-1, 18.8.30). Dates and times are numbers, too. */
import { type NumberShape, shapedNumber, shapeOfCode } from './number-shape.js';

export type NumberFormat = 'number' | 'percent' | 'date' | 'time' | 'date_time' | 'duration' | NumberShape;

/** The formats that files use without defining them. */
const builtIn: Readonly<Record<number, NumberFormat>> = {
  ...spread([9, 10], 'percent'),
  ...spread([14, 15, 16, 17, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58], 'date'),
  ...spread([18, 19, 20, 21, 32, 33], 'time'),
  ...spread([22], 'date_time'),
  ...spread([45, 46, 47], 'duration'),
};
const formatCharactersMax = 1000;
const millisecondsPerDay = 86_400_000;
/** Days from the first day of a spreadsheet to 1970-01-01. */
const epochDays = { 1900: 25_569, 1904: 24_107 };
/** 9999-12-31 */
const lastDay = 2_958_465;
/** Spreadsheets count a 29 February 1900, which did not exist, as day 60. */
const phantomDay = 60;
/** The digits of a double that survive decimal notation. */
const digits = 15;

function spread(ids: readonly number[], format: NumberFormat): Record<number, NumberFormat> {
  return Object.fromEntries(ids.map((id) => [id, format]));
}

export function builtInFormat(id: number): NumberFormat {
  return builtIn[id] ?? 'number';
}

/** The format of positive numbers, by the letters of its code outside of quotes and brackets. */
export function formatOfCode(code: string): NumberFormat {
  const [positive = ''] = code
    .slice(0, formatCharactersMax)
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .split(';', 1);
  if (/\[(?:h+|m+|s+)\]/i.test(positive)) return 'duration';
  const letters = positive.replace(/\[[^\]]*\]|general|am\/pm|a\/p/gi, '').toLowerCase();
  const hasTime = /[hs]/.test(letters);
  const hasDate = /[yd]/.test(letters) || (!hasTime && /m/.test(letters));
  if (hasDate) return hasTime ? 'date_time' : 'date';
  if (hasTime) return 'time';
  return letters.includes('%') ? 'percent' : (shapeOfCode(code.slice(0, formatCharactersMax)) ?? 'number');
}

/** `0.30000000000000004` → `0.3`; day 44926 → `2022-12-31`; `7` as `00000` → `00007`. Text that is no number stays as it is. */
export function formatNumber(text: string, format: NumberFormat, epoch: 1900 | 1904 = 1900): string {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return text;
  switch (format) {
    case 'number':
      return plain(value);
    case 'percent':
      return `${plain(value * 100)}%`;
    case 'duration':
      return duration(value);
    case 'date':
    case 'time':
    case 'date_time':
      return moment(value, format, epoch) ?? plain(value);
    default:
      return shapedNumber(value, format, plain);
  }
}

function plain(value: number): string {
  return String(Number(value.toPrecision(digits)));
}

function duration(days: number): string {
  const seconds = Math.round(Math.abs(days) * 86_400);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return (days < 0 ? '-' : '') + parts.map((part) => String(part).padStart(2, '0')).join(':');
}

function moment(value: number, format: 'date' | 'time' | 'date_time', epoch: 1900 | 1904): string | null {
  if (value < 0 || value >= lastDay + 1) return null;
  const days = epoch === 1900 && value < phantomDay ? value + 1 : value;
  const rounded = Math.round((days - epochDays[epoch]) * 86_400) * 1000;
  const iso = new Date(rounded).toISOString();
  const time = iso.endsWith(':00.000Z') ? iso.slice(11, 16) : iso.slice(11, 19);
  if (format === 'time') return time;
  const isMidnight = rounded % millisecondsPerDay === 0;
  return format === 'date' || isMidnight ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`;
}
