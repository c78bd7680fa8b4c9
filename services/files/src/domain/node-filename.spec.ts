import { filenameSchema } from '@kiln/contracts';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filenameOf } from './node-filename.js';

describe('the filename of a node', () => {
  it('is its name wherever that may be a filename', () => {
    for (const name of ['report.pdf', 'Übersicht 2026.md', '…', 'a..b', `${'x'.repeat(251)}.txt`]) {
      assert.equal(filenameOf(name), name);
    }
  });

  it('is always one that the contract takes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        filenameSchema.parse(filenameOf(name));
      }),
    );
  });

  it('keeps the extension when the name is cut, and never half a character', () => {
    const name = filenameOf(`${'ä'.repeat(200)}.pdf`);
    assert.match(name, /^ä+\.pdf$/);
    assert.ok(Buffer.byteLength(name) <= 255 && Buffer.byteLength(name) >= 253);
  });
});
