import { describe, expect, it } from '@jest/globals';
import { CACHE_TTL_MS, TtlCache } from './ttl-cache.service.js';

describe('the TTL cache', () => {
  function setUp(entriesMax?: number) {
    const clock = { ms: 1_000 };
    return { clock, cache: new TtlCache<string>(entriesMax, () => clock.ms) };
  }

  it('returns an entry until its TTL has passed, counted from before it was loaded', async () => {
    const { clock, cache } = setUp();
    await cache.getOrLoad('a', async () => {
      clock.ms += 400;
      return { value: 'A' };
    });
    clock.ms += CACHE_TTL_MS - 401;
    expect(cache.get('a')).toBe('A');
    clock.ms += 1;
    expect(cache.get('a')).toBeUndefined();
  });

  it('loads a value once while the entry lives', async () => {
    const { clock, cache } = setUp();
    let loads = 0;
    const load = async () => ({ value: `load ${++loads}` });
    expect([await cache.getOrLoad('a', load), await cache.getOrLoad('a', load)]).toStrictEqual(['load 1', 'load 1']);
    clock.ms += CACHE_TTL_MS;
    expect(await cache.getOrLoad('a', load)).toBe('load 2');
  });

  it('drops an entry as soon as its value becomes invalid', async () => {
    const { clock, cache } = setUp();
    await cache.getOrLoad('a', () => Promise.resolve({ value: 'A', validMs: 30 }));
    clock.ms += 29;
    expect(cache.get('a')).toBe('A');
    clock.ms += 1;
    expect(cache.get('a')).toBeUndefined();
  });

  it('never caches that a value does not exist', async () => {
    const { cache } = setUp();
    expect(await cache.getOrLoad('a', () => Promise.resolve(null))).toBeNull();
    expect(await cache.getOrLoad('a', () => Promise.resolve({ value: 'A' }))).toBe('A');
  });

  it('never holds more entries than its limit', async () => {
    const { cache } = setUp(3);
    const keys = Array.from({ length: 10 }, (_, index) => `n${index}`);
    for (const key of keys) await cache.getOrLoad(key, () => Promise.resolve({ value: key }));
    expect(keys.filter((key) => cache.get(key)).length).toBeLessThanOrEqual(3);
    expect(cache.get('n9')).toBe('n9');
  });
});
