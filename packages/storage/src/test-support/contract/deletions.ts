// Many keys can be deleted at once, and repeatedly.
import { expect } from '@jest/globals';
import { type, type Contract } from './peer.js';

export function testDeletions(contract: Contract): void {
  contract.it('many keys are deleted in batches; missing ones are fine, and again is fine', async () => {
    const odd = ['many/a&<b>', "many/'", 'many/é +%2F'];
    for (const key of [...odd, `many/missing/${contract.manyKeys - 1}`]) await contract.store.put(key, 'x', type);
    const missing = Array.from({ length: contract.manyKeys }, (_, at) => `many/missing/${at}`);
    await contract.store.put('many', 'stays', type);
    for (let times = 0; times < 2; times += 1) await contract.store.deleteMany([...missing, ...odd]);
    await contract.store.deleteMany([]);
    expect(await contract.keysOf('many')).toStrictEqual(['many']);
  });

  contract.it('a prefix is deleted and nothing beside it; the empty prefix is refused', async () => {
    const keys = Array.from({ length: 30 }, (_, at) => `p/${at}`);
    await Promise.all([...keys, 'p', 'p0'].map((key) => contract.store.put(key, 'x', type)));
    expect(await contract.store.deletePrefix('p/')).toBe(30);
    expect(await contract.store.deletePrefix('p/')).toBe(0);
    expect(await contract.keysOf('p')).toStrictEqual(['p', 'p0']);
    await expect(contract.store.deletePrefix('')).rejects.toMatchObject({ code: 'invalid' });
  });
}
