// Listings are ordered, paged, and can begin at any key.
import { expect } from '@jest/globals';
import { listPages } from '../../index.js';
import { type, type Contract } from './peer.js';

export function testListings(contract: Contract): void {
  contract.it('lists page in byte order with prefixes rolled up', async () => {
    const keys = ['l/a', 'l/a b+%', 'l/a/1', 'l/a/2', "l/b&<c>'", 'l/é'];
    for (const key of keys) await contract.store.put(key, 'x', type);
    expect(await contract.keysOf('l/')).toStrictEqual(keys);
    const found = { objects: [] as string[], prefixes: [] as string[] };
    for await (const { objects, prefixes } of listPages(contract.store, 'l/', { limit: 2, delimiter: '/' })) {
      expect(objects.length + prefixes.length).toBeLessThanOrEqual(2);
      found.objects.push(...objects.map(({ key }) => key));
      found.prefixes.push(...prefixes);
    }
    expect(found).toStrictEqual({ objects: ['l/a', 'l/a b+%', "l/b&<c>'", 'l/é'], prefixes: ['l/a/'] });
  });

  contract.it('a listing goes on after any key or prefix, there or not, and everything comes once', async () => {
    const keys = ['after/a', 'after/b', 'after/c/1', 'after/c/2', 'after/d', 'after/e/1', 'after/é'];
    for (const key of keys) await contract.store.put(key, 'x', type);
    const listed = async (startAfter: string, limit: number, delimiter?: string): Promise<string[]> => {
      const found: string[] = [];
      const options = { startAfter, limit, ...(delimiter !== undefined && { delimiter }) };
      for await (const { objects, prefixes } of listPages(contract.store, 'after/', options)) {
        found.push(...objects.map(({ key }) => key), ...prefixes);
      }
      return found.sort();
    };
    expect(await listed('after/b', 10)).toStrictEqual(keys.slice(2));
    expect(await listed('after/bb', 1)).toStrictEqual(keys.slice(2));
    expect(await listed('', 4)).toStrictEqual(keys);
    expect(await listed('after/é', 10)).toStrictEqual([]);
    expect(await listed('after/c/', 2, '/')).toStrictEqual(['after/d', 'after/e/', 'after/é']);
  });
}
