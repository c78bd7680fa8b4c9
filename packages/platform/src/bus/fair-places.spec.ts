import { describe, expect, it } from '@jest/globals';
import { FairPlaces, OWN_WORK } from './fair-places.js';

function ask(places: FairPlaces, started: string[], name: string, weight = 1) {
  const [tenantId = ''] = name;
  return places.request(tenantId, weight, () => void started.push(name));
}

describe('places that tenants queue for', () => {
  it('are half a tenant’s own at most: the rest of its work waits behind itself, and others start at once', () => {
    const places = new FairPlaces(10);
    const started: string[] = [];
    for (let index = 0; index < 20; index++) ask(places, started, `a${index}`);
    expect(started).toStrictEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
    ask(places, started, 'b0');
    expect(started.at(-1)).toBe('b0');
    expect(places.waitingCount).toBe(15);
  });

  it('go to the waiting tenants round robin when they are free again', () => {
    const places = new FairPlaces(2);
    const started: string[] = [];
    for (const name of ['a0', 'b0', 'a1', 'a2', 'c0', 'b1']) ask(places, started, name);
    for (const tenantId of ['a', 'b', 'a', 'c', 'b', 'a']) places.release(tenantId, 1);
    expect(started).toStrictEqual(['a0', 'b0', 'a1', 'c0', 'b1', 'a2']);
    expect(places.waitingCount).toBe(0);
  });

  it('hold work by its weight, and work of more than all places alone', () => {
    const places = new FairPlaces(100);
    const started: string[] = [];
    for (const [name, weight] of [
      ['a0', 40],
      ['a1', 40],
      ['b0', 30],
      ['c0', 500],
    ] as const)
      ask(places, started, name, weight);
    expect(started).toStrictEqual(['a0', 'b0']);
    places.release('b', 30);
    places.release('a', 40);
    expect(started).toStrictEqual(['a0', 'b0', 'a1']);
    places.release('a', 40);
    expect(started.at(-1)).toBe('c0');
    places.release('c', 500);
    ask(places, started, 'd0', 100);
    expect(started.at(-1)).toBe('d0');
  });

  it('may all be taken by the process’s own work', () => {
    const places = new FairPlaces(2);
    let count = 0;
    for (let index = 0; index < 3; index++) places.request(OWN_WORK, 1, () => void count++);
    expect(count).toBe(2);
  });

  it('are not given to work that has left the queue', () => {
    const places = new FairPlaces(1);
    const started: string[] = [];
    ask(places, started, 'a0');
    const leave = ask(places, started, 'a1');
    ask(places, started, 'a2');
    expect([leave(), leave()]).toStrictEqual([true, false]);
    places.release('a', 1);
    expect(started).toStrictEqual(['a0', 'a2']);
  });
});
