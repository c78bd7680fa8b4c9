import { describe, expect, it } from '@jest/globals';
import { utf8Order } from '@kiln/storage';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { laterBranches } from './key-branches.js';

/** A bucket that counts the requests for a key. */
function bucketOf(keys: readonly string[]) {
  const sorted = keys.toSorted(utf8Order);
  const bucket = {
    requests: 0,
    keyAfter: async (after: string) => {
      bucket.requests++;
      return Promise.resolve(sorted.find((key) => utf8Order(key, after) > 0) ?? null);
    },
  };
  return bucket;
}
const bounds = { enough: 15, requestsMax: 24 };
const numbered = (count: number, name: (at: number) => string) => Array.from({ length: count }, (_, at) => name(at));

describe('the branches of later keys', () => {
  it('are the characters after the first at which a later key differs, and then those of the next', async () => {
    const keys = numbered(300, (at) => `logs/img-${String(at).padStart(5, '0')}.png`);
    const bucket = bucketOf(keys);
    expect(await laterBranches('logs/img-00042.png', 'logs/', bounds, bucket.keyAfter)).toStrictEqual([
      'logs/img-001',
      'logs/img-002',
      ...[5, 6, 7, 8, 9].map((digit) => `logs/img-000${digit}`),
      ...[3, 4, 5, 6, 7, 8, 9].map((digit) => `logs/img-0004${digit}`),
    ]);
  });

  it('are found with at most one request more for each than a binary search through the key needs', async () => {
    const bucket = bucketOf(numbered(4_096, (at) => at.toString(16).padStart(32, '0').split('').toReversed().join('')));
    const found = await laterBranches('0'.repeat(32), '', bounds, bucket.keyAfter);
    expect(found).toStrictEqual('123456789abcdef'.split(''));
    expect(bucket.requests).toBeLessThanOrEqual(15 + Math.log2(32));
  });

  it('are none after the last key, and none that would exceed the bounds', async () => {
    const keys = numbered(100, (at) => String(at).padStart(2, '0'));
    const last = bucketOf(keys);
    expect(await laterBranches('99', '', bounds, last.keyAfter)).toStrictEqual([]);
    const few = bucketOf(keys);
    expect(await laterBranches('00', '', { enough: 3, requestsMax: 24 }, few.keyAfter)).toStrictEqual(['1', '2', '3']);
    const brief = bucketOf(keys);
    await laterBranches('00', '', { enough: 15, requestsMax: 4 }, brief.keyAfter);
    expect(brief.requests).toBe(4);
  });

  it('are prefixes of later keys, each once, whatever the keys are', async () => {
    const key = fc.string({ unit: 'grapheme', maxLength: 5 });
    const property = fc.asyncProperty(fc.array(key), key, async (keys, position) => {
      const later = keys.filter((one) => utf8Order(one, position) > 0);
      const found = await laterBranches(position, '', bounds, bucketOf([...keys, position]).keyAfter);
      expect(new Set(found).size).toBe(found.length);
      for (const prefix of found) expect(later.some((one) => one.startsWith(prefix))).toBe(true);
    });
    await fc.assert(property, { seed: testSeed() });
  });
});
