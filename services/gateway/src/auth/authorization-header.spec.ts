import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { credentialsOf } from './authorization-header.js';

describe('the Authorization header', () => {
  it('holds a scheme, whose case does not matter, and one value', () => {
    assert.deepEqual(credentialsOf('ApiKey secret'), { scheme: 'apikey', value: 'secret' });
    assert.deepEqual(credentialsOf('bearer   a.b.c '), { scheme: 'bearer', value: 'a.b.c' });
  });

  it('holds nothing without a scheme, without a value, or with two', () => {
    for (const wrong of ['', 'secret', 'ApiKey', 'ApiKey ', 'ApiKey one two', ' ApiKey one', 'ApiKey\tone']) {
      assert.equal(credentialsOf(wrong), null, wrong);
    }
  });
});
