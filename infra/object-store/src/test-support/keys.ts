// Keys that expose errors in simple stores.
import fc from 'fast-check';

const piece = fc.oneof(
  fc.constantFrom(
    '',
    '.',
    '..',
    '/',
    '//',
    'a',
    'A',
    'b',
    'a/',
    ' ',
    '+',
    '%2F',
    '%',
    '!',
    '0',
    'é',
    'e\u0301',
    '😀',
    '\uffff',
  ),
  fc.constantFrom(
    'con',
    'nul',
    '\\',
    ':',
    '*',
    '\u0000',
    '\n',
    '\r',
    '<&>"',
    "'",
    'x'.repeat(79),
    'x'.repeat(80),
    'ß'.repeat(40),
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
);

/** Any valid S3 key: 1 to 1024 bytes of UTF-8. */
export const hostileKey = fc
  .array(piece, { minLength: 1, maxLength: 8 })
  .map((pieces) => pieces.join(''))
  .filter((key) => key !== '' && Buffer.byteLength(key) <= 1024);

/** Keys from a small alphabet, so that they often share prefixes. */
export const crowdedKey = fc
  .array(fc.constantFrom('a', 'b', '/', '!', '0', 'A', 'é', 'x'.repeat(80)), { minLength: 1, maxLength: 5 })
  .map((pieces) => pieces.join(''));
