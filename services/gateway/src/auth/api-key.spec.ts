import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { fingerprintOf, keyOfHeader } from './api-key.js';

const value = `kiln_test_${'x9'.repeat(21)}Z`;

describe('an API key', () => {
  it('is known by its SHA-256, its first 14 characters and its mode', () => {
    const hash = createHash('sha256').update(value).digest();
    assert.deepEqual(fingerprintOf(value), { hash, prefix: 'kiln_test_x9x9', mode: 'test' });
  });

  it('has exactly 43 letters and digits after a known prefix', () => {
    for (const wrong of [
      '',
      value.slice(1),
      value.slice(0, -1),
      `${value}a`,
      `${value}\n`,
      value.replace('test', 'prod'),
    ]) {
      assert.equal(fingerprintOf(wrong), null, JSON.stringify(wrong));
    }
  });
});

describe('the Authorization header', () => {
  it('carries the key after the scheme, whose case does not matter', () => {
    assert.equal(keyOfHeader(`ApiKey ${value}`), value);
    assert.equal(keyOfHeader(`apikey   ${value} `), value);
  });

  it('carries no key under another scheme, without one, or with two', () => {
    for (const wrong of [undefined, '', value, `Bearer ${value}`, 'ApiKey', 'ApiKey ', `ApiKey ${value} ${value}`]) {
      assert.equal(keyOfHeader(wrong), null, wrong);
    }
  });
});
