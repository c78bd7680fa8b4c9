import { beforeEach, describe, expect, it } from '@jest/globals';
import { testTenantOf } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
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

  it('have one queue for the live and the test tenant of an organization', () => {
    const places = new FairPlaces(2);
    const started: string[] = [];
    const live = uuidv7();
    const request = (tenantId: string, name: string) => places.request(tenantId, 1, () => void started.push(name));
    request(live, 'live 0');
    request(testTenantOf(live), 'test 0');
    request(live, 'live 1');
    expect([started, places.waitingOf(testTenantOf(live))]).toStrictEqual([['live 0'], 2]);
    const other = uuidv7();
    request(other, 'other 0');
    request(other, 'other 1');
    for (const tenantId of [other, live, testTenantOf(live)]) places.release(tenantId, 1);
    expect(started).toStrictEqual(['live 0', 'other 0', 'other 1', 'test 0', 'live 1']);
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

  describe('and that work needs of which smaller work of others always holds some', () => {
    let places: FairPlaces;
    let started: string[];
    let leave: () => boolean;
    /** Tenants with 25 places each, the first of them for the longest time. */
    let running: string[];
    beforeEach(() => {
      [places, started, running] = [new FairPlaces(100), [], []];
      for (const name of ['b', 'c']) askFor25(name);
      leave = ask(places, started, 'large', 60);
    });

    function askFor25(tenantId: string): void {
      running.push(tenantId);
      ask(places, started, tenantId, 25);
    }
    const releaseOldest = () => places.release(running.shift() ?? '', 25);
    /** New work starts before the oldest work ends, so that 50 places are always taken. */
    const passLarge = () => {
      for (const tenantId of ['d', 'b', 'c', 'd']) {
        askFor25(tenantId);
        releaseOldest();
      }
    };

    it('are kept for it when others were given as many as there are', () => {
      passLarge();
      expect(started).toStrictEqual(['b', 'c', 'd', 'b', 'c', 'd']);
      askFor25('b');
      expect([started.length, places.isHeldUpByItself('b', 25)]).toStrictEqual([6, false]);
      releaseOldest();
      expect(started.slice(6)).toStrictEqual(['large']);
      places.release('l', 60);
      expect(started.slice(7)).toStrictEqual(['b']);
    });

    it('go to the others when it leaves', () => {
      passLarge();
      askFor25('b');
      leave();
      expect(started.slice(6)).toStrictEqual(['b']);
    });
  });

  it('are not kept for work that waits for places of its own tenant: others start at once, however often', () => {
    const places = new FairPlaces(100);
    const started: string[] = [];
    for (const name of ['a0', 'a1']) ask(places, started, name, 40);
    for (let time = 0; time < 20; time++) {
      ask(places, started, `b${time}`, 25);
      places.release('b', 25);
    }
    expect(started).toHaveLength(21);
    expect(places.waitingOf('a')).toBe(1);
  });
});
