// Deleting: many at once, and again.
import assert from 'node:assert/strict';
import { type, type Contract } from './peer.js';

export function testDeletions(contract: Contract): void {
  contract.it('many keys are deleted in batches; missing ones are fine, and again is fine', async () => {
    const odd = ['many/a&<b>', "many/'", 'many/é +%2F'];
    for (const key of [...odd, `many/missing/${contract.manyKeys - 1}`]) await contract.store.put(key, 'x', type);
    const missing = Array.from({ length: contract.manyKeys }, (_, at) => `many/missing/${at}`);
    await contract.store.put('many', 'stays', type);
    for (let times = 0; times < 2; times += 1) await contract.store.deleteMany([...missing, ...odd]);
    await contract.store.deleteMany([]);
    assert.deepEqual(await contract.keysOf('many'), ['many']);
  });

  contract.it('a prefix is deleted and nothing beside it; the empty prefix is refused', async () => {
    const keys = Array.from({ length: 30 }, (_, at) => `p/${at}`);
    await Promise.all([...keys, 'p', 'p0'].map((key) => contract.store.put(key, 'x', type)));
    assert.equal(await contract.store.deletePrefix('p/'), 30);
    assert.equal(await contract.store.deletePrefix('p/'), 0);
    assert.deepEqual(await contract.keysOf('p'), ['p', 'p0']);
    await assert.rejects(contract.store.deletePrefix(''), { code: 'invalid' });
  });
}
