import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { apiKeyPattern, fingerprintOf, newApiKey } from './api-key.domain.js';

const value = `kiln_test_${'x9'.repeat(21)}Z`;

describe('an API key', () => {
  it('is known by its SHA-256, its first 14 characters and its mode', () => {
    const hash = createHash('sha256').update(value).digest();
    expect(fingerprintOf(value)).toStrictEqual({ hash, prefix: 'kiln_test_x9x9', mode: 'test' });
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
      expect(fingerprintOf(wrong)).toBeNull();
    }
  });

  it('is made new each time, in the form that is accepted', () => {
    const made = Array.from({ length: 100 }, () => newApiKey('test').value);
    for (const value of made) expect(value).toMatch(apiKeyPattern);
    expect(new Set(made).size).toBe(100);
    expect(fingerprintOf(newApiKey('live').value)?.mode).toBe('live');
  });
});
