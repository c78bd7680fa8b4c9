import { describe, expect, it } from '@jest/globals';
import { filenameSchema } from '@kiln/contracts';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { filenameOf } from './node-filename.domain.js';

fc.configureGlobal({ seed: testSeed() });

describe('the filename of a node', () => {
  it('is the name of the node if that is a valid filename', () => {
    for (const name of ['report.pdf', 'Übersicht 2026.md', '…', 'a..b', `${'x'.repeat(251)}.txt`]) {
      expect(filenameOf(name)).toBe(name);
    }
  });

  it('always satisfies the contract', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        filenameSchema.parse(filenameOf(name));
      }),
    );
  });

  it('keeps the extension when the name is cut, and cuts no character in half', () => {
    const name = filenameOf(`${'ä'.repeat(200)}.pdf`);
    expect(name).toMatch(/^ä+\.pdf$/);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(Buffer.byteLength(name)).toBeGreaterThanOrEqual(253);
  });
});
