import { describe, expect, it } from '@jest/globals';
import { credentialsOf } from './authorization-header.domain.js';

describe('the Authorization header', () => {
  it('holds a scheme, whose case does not matter, and one value', () => {
    expect(credentialsOf('ApiKey secret')).toStrictEqual({ scheme: 'apikey', value: 'secret' });
    expect(credentialsOf('bearer   a.b.c ')).toStrictEqual({ scheme: 'bearer', value: 'a.b.c' });
  });

  it('holds nothing without a scheme, without a value, or with two', () => {
    for (const wrong of ['', 'secret', 'ApiKey', 'ApiKey ', 'ApiKey one two', ' ApiKey one', 'ApiKey\tone']) {
      expect(credentialsOf(wrong)).toBeNull();
    }
  });
});
