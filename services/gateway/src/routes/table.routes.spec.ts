import { describe, expect, it } from '@jest/globals';
import { KEY_TEST_TIMEOUT_MS, parseInput } from '@kiln/contracts';
import { z } from 'zod';
import { TIMEOUT_DEFAULT_MS } from '../http/call-context.http.js';
import type { Route } from './kinds.route.js';
import { responseSchemaOf } from './row-facts.domain.js';
import { assertRouteTable, routeTable } from './table.routes.js';

/** A row of the real table with some members replaced. */
function bent(name: string, change: Partial<Record<keyof Route | 'handler' | 'operation', unknown>>): Route {
  const row = routeTable.find((route) => route.name === name);
  if (!row) throw new Error(`there is no row ${name}`);
  return { ...row, ...change } as Route;
}

describe('the route table', () => {
  it('is accepted by the checks of the boot', () => {
    expect(() => assertRouteTable(routeTable)).not.toThrow();
  });

  it('has an example for every JSON answer and body, and each fits its schema', () => {
    for (const route of routeTable) {
      if ('mediaType' in route && route.mediaType) continue;
      expect(() => parseInput(responseSchemaOf(route), route.example.response)).not.toThrow();
      const body = route.body ?? route.streamedBody;
      if (body) parseInput(body, route.example.request);
    }
  });

  it('gives services as long as they may take, also for the test of a provider key', () => {
    for (const { name, operation, timeoutMs = TIMEOUT_DEFAULT_MS } of routeTable) {
      const neededMs = name === 'testProviderKey' ? KEY_TEST_TIMEOUT_MS : (operation?.timeoutMs ?? 0);
      expect([name, timeoutMs]).toStrictEqual([name, Math.max(timeoutMs, neededMs)]);
    }
  });

  it('stops the boot on two rows for one method and path, whatever their parameters are called', () => {
    const twin = bent('getFile', { name: 'other', path: '/v1/files/:file', params: z.object({ file: z.string() }) });
    expect(() => assertRouteTable([...routeTable, twin])).toThrow(/other: GET \/v1\/files\/: is there twice/);
  });

  it('stops the boot on a repeated name', () => {
    expect(() => assertRouteTable([...routeTable, bent('getMe', { path: '/v2/me' })])).toThrow(
      /name getMe is there twice/,
    );
  });

  it('stops the boot on an unknown scope', () => {
    expect(() => assertRouteTable([bent('getFile', { scope: 'files:admin' })])).toThrow(/unknown scope files:admin/);
  });

  it('stops the boot on a secret parameter that the path does not have', () => {
    const wrong = bent('getFile', { secretParams: ['token'] });
    expect(() => assertRouteTable([wrong])).toThrow(/getFile: the path has no parameter token to keep secret/);
  });

  it('stops the boot on a path parameter without a schema', () => {
    expect(() => assertRouteTable([bent('getFile', { params: undefined })])).toThrow(/the path has parameters \(id\)/);
  });
});
