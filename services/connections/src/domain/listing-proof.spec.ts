import fc from 'fast-check';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BucketError } from './bucket-error.js';
import { ListingProof } from './listing-proof.js';

const rising = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const falling = (a: string, b: string) => rising(b, a);
const page = (keys: readonly string[], next: string | null = null) => ({ objects: keys.map((key) => ({ key })), next });
const unproven = (error: unknown) => error instanceof BucketError && error.code === 'listing_incomplete';

describe('the pages of a listing', () => {
  it('are proven however it is cut into pages and claims, and no more once a key is moved or repeated', () => {
    const listing = fc.uniqueArray(fc.string(), { minLength: 2 }).map((keys) => keys.toSorted(rising));
    fc.assert(
      fc.property(listing, fc.nat(), fc.nat(), (keys, cut, moved) => {
        const at = cut % (keys.length + 1);
        const proof = new ListingProof([rising]);
        proof.accept(page(keys.slice(0, at), 'next'));
        new ListingProof([rising], keys[at - 1] ?? null, 'next').accept(page(keys.slice(at)));
        proof.accept(page(keys.slice(at)));
        const repeated = keys[moved % keys.length] ?? '';
        assert.throws(() => proof.accept(page([repeated])), unproven);
      }),
    );
  });

  it('keep to one order where a provider has several', () => {
    const proof = new ListingProof([rising, falling]);
    proof.accept(page(['b', 'a'], '1'));
    assert.throws(() => proof.accept(page(['c'], '2')), unproven);
  });

  it('never lead to themselves, nor by a token that can not be kept', () => {
    const proof = new ListingProof([rising], null, 'same');
    assert.throws(() => proof.accept(page([], 'same')), unproven);
    assert.throws(() => new ListingProof([rising]).accept(page([], 'a\0b')), unproven);
    assert.throws(() => new ListingProof([rising]).accept(page([], 't'.repeat(8_193))), unproven);
  });
});
