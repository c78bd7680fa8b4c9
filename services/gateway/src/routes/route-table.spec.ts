import { parseInput } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { responseSchemaOf, type Route } from './route.js';
import { assertRouteTable, routeTable } from './route-table.js';

/** A row of the real table, bent. */
function bent(name: string, change: Partial<Record<keyof Route | 'handler' | 'operation', unknown>>): Route {
  const row = routeTable.find((route) => route.name === name);
  assert.ok(row);
  return { ...row, ...change } as Route;
}

describe('the route table', () => {
  it('is accepted by the checks of the boot', () => {
    assert.doesNotThrow(() => assertRouteTable(routeTable));
  });

  it('has an example for every JSON answer and body, and each fits its schema', () => {
    for (const route of routeTable) {
      if ('mediaType' in route && route.mediaType) continue;
      assert.doesNotThrow(() => parseInput(responseSchemaOf(route), route.example.response), route.name);
      if (route.body) parseInput(route.body, route.example.request);
    }
  });

  it('stops the boot on two rows for one method and path, whatever their parameters are called', () => {
    const twin = bent('getFile', { name: 'other', path: '/v1/files/:file', params: z.object({ file: z.string() }) });
    assert.throws(() => assertRouteTable([...routeTable, twin]), /other: GET \/v1\/files\/: is there twice/);
  });

  it('stops the boot on a repeated name', () => {
    assert.throws(
      () => assertRouteTable([...routeTable, bent('getMe', { path: '/v2/me' })]),
      /name getMe is there twice/,
    );
  });

  it('stops the boot on an unknown scope', () => {
    assert.throws(() => assertRouteTable([bent('getFile', { scope: 'files:admin' })]), /unknown scope files:admin/);
  });

  it('stops the boot on a secret parameter that the path does not have', () => {
    const wrong = bent('getFile', { secretParams: ['token'] });
    assert.throws(() => assertRouteTable([wrong]), /getFile: the path has no parameter token to keep secret/);
  });

  it('stops the boot on a row with both or neither of operation and handler', () => {
    const both = bent('getFile', { handler: () => ({}) });
    const neither = bent('getFile', { operation: undefined });
    assert.throws(() => assertRouteTable([both]), /needs an operation or a handler, and not both/);
    assert.throws(() => assertRouteTable([neither]), /needs an operation or a handler, and not both/);
  });

  it('stops the boot on a path parameter without a schema', () => {
    assert.throws(() => assertRouteTable([bent('getFile', { params: undefined })]), /the path has parameters \(id\)/);
  });
});
