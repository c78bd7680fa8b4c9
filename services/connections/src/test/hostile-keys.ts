// Keys of objects that look like paths, markup or URLs.
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';

const KEY_BYTES_MAX = 1_024;

const namedKeys = [
  'a',
  'a/b',
  'a//b',
  'a//',
  '/a',
  '//a',
  '../a',
  'a/../b',
  'a/./b',
  '..a/b..c',
  'A',
  ' a ',
  'a b+c%20d&e=f?g#h.txt',
  'back\\slash',
  '"quoted" <xml> \'&amp;\'',
  '😀/👩‍👩‍👧/e\u0301',
  'é',
  'x'.repeat(KEY_BYTES_MAX),
  `${'d/'.repeat(100)}f`,
  '😀'.repeat(KEY_BYTES_MAX / 4),
];
const segment = fc.constantFrom('a', 'b', '', 'ü', '😀', '%2F', '+', '..', '.', 'a b', '~', '_', "'");
const randomKeys = fc.sample(
  fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/')),
  { numRuns: 60, seed: testSeed() },
);

export const hostileKeys: readonly string[] = [...new Set([...namedKeys, ...randomKeys])].filter((key) => key !== '');

/** Syncs skip these keys: URL parsers resolve the segments. */
export const hasDotSegment = (key: string): boolean => key.split('/').some((name) => name === '.' || name === '..');
