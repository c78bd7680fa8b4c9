import { describe, expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { ListingValidator } from './listing-validator.js';

fc.configureGlobal({ seed: testSeed() });

const rising = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const falling = (a: string, b: string) => rising(b, a);
const page = (keys: readonly string[], next: string | null = null) => ({ objects: keys.map((key) => ({ key })), next });
const unproven = expect.objectContaining({ name: 'BucketError', code: 'listing_incomplete' });

describe('the pages of a listing', () => {
  it('are accepted for any division into pages and claims, and rejected once a key is moved or repeated', () => {
    const listing = fc.uniqueArray(fc.string(), { minLength: 2 }).map((keys) => keys.toSorted(rising));
    fc.assert(
      fc.property(listing, fc.nat(), fc.nat(), (keys, cut, moved) => {
        const at = cut % (keys.length + 1);
        const proof = new ListingValidator([rising]);
        proof.accept(page(keys.slice(0, at), 'next'));
        new ListingValidator([rising], keys[at - 1] ?? null, 'next').accept(page(keys.slice(at)));
        proof.accept(page(keys.slice(at)));
        const repeated = keys[moved % keys.length] ?? '';
        expect(() => proof.accept(page([repeated]))).toThrow(unproven);
      }),
    );
  });

  it('must keep one order where a provider has several', () => {
    const proof = new ListingValidator([rising, falling]);
    proof.accept(page(['b', 'a'], '1'));
    expect(() => proof.accept(page(['c'], '2'))).toThrow(unproven);
  });

  it('may be in any order where a provider has none, and must not contain a key twice', () => {
    const proof = new ListingValidator(null);
    proof.accept(page(['b', 'c', 'a'], '1'));
    proof.accept(page(['e', 'd'], '2'));
    expect(() => proof.accept(page(['f', 'g', 'f']))).toThrow(unproven);
    expect(() => proof.accept(page(['h'], '2'))).toThrow(unproven);
  });

  it('must not refer to themselves, nor have a token that cannot be stored', () => {
    const proof = new ListingValidator([rising], null, 'same');
    expect(() => proof.accept(page([], 'same'))).toThrow(unproven);
    expect(() => new ListingValidator([rising]).accept(page([], 'a\0b'))).toThrow(unproven);
    expect(() => new ListingValidator([rising]).accept(page([], 't'.repeat(8_193)))).toThrow(unproven);
  });
});
