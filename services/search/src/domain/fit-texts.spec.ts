import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fitTexts } from './fit-texts.js';

describe('fitTexts', () => {
  it('leaves texts of the usual size alone', () => {
    const texts = Array.from({ length: 200 }, () => 'x'.repeat(1_000));
    assert.deepEqual(fitTexts(texts), texts);
  });

  it('cuts what would not fit on the bus, whatever its characters', () => {
    for (const character of ['学', '😀', '\u0001', '"']) {
      const fitted = fitTexts(Array.from({ length: 200 }, () => character.repeat(8_000)));
      assert.ok(Buffer.byteLength(JSON.stringify(fitted)) < 600_000);
      assert.ok(fitted.every((text) => text.length > 0 && text.isWellFormed()));
    }
  });
});
