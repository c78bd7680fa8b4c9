import { describe, expect, it } from '@jest/globals';
import { testTenantOf } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { SharedPlaces } from './shared-places.js';

function fill(places: SharedPlaces, tenantId: string): number {
  let taken = 0;
  while (places.take(tenantId) === null) taken++;
  return taken;
}

describe('places that tenants share', () => {
  it('limit one tenant to half of all, and leave places for further tenants', () => {
    const places = new SharedPlaces(512);
    expect(fill(places, 'first')).toBe(256);
    expect(places.take('first')).toBe('tenant');
    expect(fill(places, 'second')).toBe(128);
    for (const tenantId of ['third', 'fourth', 'fifth']) expect(places.take(tenantId)).toBeNull();
  });

  it('count the live and the test tenant of an organization as one', () => {
    const places = new SharedPlaces(8);
    const live = uuidv7();
    expect([fill(places, live), fill(places, testTenantOf(live)), fill(places, uuidv7())]).toStrictEqual([4, 0, 2]);
    places.release(testTenantOf(live), 2);
    expect(places.take(live)).toBeNull();
  });

  it('have a weight: one tenant may take half of all in pieces, or one piece that is larger if nothing is taken', () => {
    const places = new SharedPlaces(100);
    expect([places.take('a', 101), places.take('a', 30), places.take('a', 40)]).toStrictEqual(['all', null, null]);
    expect([places.take('a', 1), places.take('b', 30), places.take('c', 1)]).toStrictEqual(['tenant', null, 'all']);
    places.release('a', 40);
    expect([places.take('a', 11), places.take('a', 10), places.takenCount]).toStrictEqual(['tenant', null, 70]);
    places.release('a', 30);
    places.release('a', 10);
    places.release('b', 30);
    expect([places.takenCount, places.take('b', 90)]).toStrictEqual([0, null]);
  });

  it('tell whether a tenant is held up by itself or by others', () => {
    const places = new SharedPlaces(100);
    places.take('a', 50);
    places.take('b', 25);
    expect(places.isHeldUpByItself('a', 30)).toBe(true);
    expect(places.isHeldUpByItself('c', 30)).toBe(false);
  });

  it('refuse every tenant when all are taken, and can be taken again after a release', () => {
    const places = new SharedPlaces(2);
    expect([places.take('a'), places.take('b'), places.take('c')]).toStrictEqual([null, null, 'all']);
    places.release('a');
    expect(places.take('c')).toBeNull();
    places.release('b');
    places.release('c');
    expect(places.takenCount).toBe(0);
  });
});
