import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readQuery } from './query.js';

describe('query parameters', () => {
  it('are decoded, and collect metadata filters into one object', () => {
    assert.deepEqual(readQuery('/v1/files?limit=5&metadata.a=1&metadata.b%20c=x%26y&space='), {
      limit: '5',
      space: '',
      metadata: { a: '1', 'b c': 'x&y' },
    });
    assert.deepEqual(readQuery('/v1/files'), {});
  });

  it('may each be given once', () => {
    assert.throws(() => readQuery('/?limit=1&limit=2'), { code: 'BAD_REQUEST', message: 'limit: must be given once' });
    assert.throws(() => readQuery('/?metadata.a=1&metadata.a=1'), /metadata\.a: must be given once/);
  });

  it('never lose a filter or reach a prototype', () => {
    assert.throws(() => readQuery('/?metadata.__proto__=x'), /metadata\.__proto__: is not a possible name/);
    assert.throws(() => readQuery('/?__proto__=x'), /__proto__: is not a possible name/);
    assert.deepEqual(Object.keys(readQuery('/?constructor=1')), ['constructor']);
  });
});
