// PostgreSQL's array literals. The driver takes several times as long to write them, and indexing passes many long arrays.

const SPECIAL = /["\\]/;
const EACH_SPECIAL = /["\\]/g;

const quoted = (text: string) => (SPECIAL.test(text) ? `"${text.replace(EACH_SPECIAL, '\\$&')}"` : `"${text}"`);

export const textArray = (texts: readonly string[]): string => `{${texts.map(quoted).join(',')}}`;

export const bytesArray = (values: readonly Buffer[]): string =>
  `{${values.map((value) => `"\\\\x${value.toString('hex')}"`).join(',')}}`;

export const numberArray = (numbers: readonly (number | null)[]): string =>
  `{${numbers.map((number) => number ?? 'null').join(',')}}`;
