// Which scope opens which path, written down apart from the rows: a row that asks for another scope fails here.
import type { Scope } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { routeTable } from './route-table.js';

type Resource = 'files' | 'jobs' | 'connections' | 'webhooks' | 'org' | 'keys';

/** Reading (GET) needs `<resource>:read`, everything else `<resource>:write`. The first path that fits counts. */
const resources: readonly [path: RegExp, resource: Resource][] = [
  [/^\/v1\/org\/api-keys\b/, 'keys'],
  [/^\/v1\/org\b/, 'org'],
  [/^\/v1\/(upload|files|batches|spaces)\b/, 'files'],
  [/^\/v1\/jobs\b/, 'jobs'],
  [/^\/v1\/(connections|nodes)\b/, 'connections'],
  [/^\/v1\/webhooks?\b/, 'webhooks'],
];

/** One scope, whatever the method. Null: authentication is enough. */
const paths: readonly [path: RegExp, scope: Scope | null][] = [
  [/^\/v1\/me$/, null],
  [/^\/v1\/(search|qa)$/, 'search:read'],
  [/^\/v1\/analytics\//, 'analytics:read'],
  [/^\/v1\/api-logs$/, 'logs:read'],
  [/^\/v1\/portal\/tokens\b/, 'portal:write'],
];

function scopeFor(method: string, path: string): Scope | null {
  const exact = paths.find(([pattern]) => pattern.test(path));
  if (exact) return exact[1];
  const resource = resources.find(([pattern]) => pattern.test(path))?.[1];
  assert.ok(resource, `no line of the matrix says who may ask ${method} ${path}`);
  return `${resource}:${method === 'GET' ? 'read' : 'write'}` as Scope;
}

it('every row behind a key asks for the scope that the matrix says', () => {
  for (const { name, method, path, scope, stack } of routeTable) {
    if (stack === 'key') assert.equal(scope, scopeFor(method, path), name);
  }
});

it('only system rows and the check of a portal token are open to everyone', () => {
  const open = routeTable.filter(({ stack, path }) => stack === 'public' && path.startsWith('/v1/'));
  assert.deepEqual(
    open.map(({ name }) => name),
    ['verifyPortalToken'],
  );
});
