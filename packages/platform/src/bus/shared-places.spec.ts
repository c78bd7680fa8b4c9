import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SharedPlaces } from './shared-places.js';

function fill(places: SharedPlaces, tenantId: string): number {
  let taken = 0;
  while (places.take(tenantId) === null) taken++;
  return taken;
}

describe('places that tenants share', () => {
  it('give one tenant half of all, and every further one a place while there is one', () => {
    const places = new SharedPlaces(512);
    assert.equal(fill(places, 'first'), 256);
    assert.equal(places.take('first'), 'tenant');
    assert.equal(fill(places, 'second'), 128);
    for (const tenantId of ['third', 'fourth', 'fifth']) assert.equal(places.take(tenantId), null);
  });

  it('refuse everyone once all are taken, and are free again when they are released', () => {
    const places = new SharedPlaces(2);
    assert.deepEqual([places.take('a'), places.take('b'), places.take('c')], [null, null, 'all']);
    places.release('a');
    assert.equal(places.take('c'), null);
    places.release('b');
    places.release('c');
    assert.equal(places.takenCount, 0);
  });
});
