// The scope of each path, written down apart from the rows: a row that demands another scope fails here.
import { expect, it } from '@jest/globals';
import type { Scope } from '@kiln/contracts';
import { scopesOf } from './row-facts.domain.js';
import { routeTable } from './table.routes.js';

type Resource = 'files' | 'jobs' | 'connections' | 'webhooks' | 'org' | 'keys';

/** A GET needs `<resource>:read`, every other method `<resource>:write`. The first path that fits counts. */
const resources: readonly [path: RegExp, resource: Resource][] = [
  [/^\/v1\/org\/api-keys\b/, 'keys'],
  [/^\/v1\/org\b/, 'org'],
  [/^\/v1\/(uploads?|files|batches|spaces)\b/, 'files'],
  [/^\/v1\/jobs\b/, 'jobs'],
  [/^\/v1\/(connections|nodes)\b/, 'connections'],
  [/^\/v1\/webhooks?\b/, 'webhooks'],
];

/** The scope of a path, whatever the method. Null if authentication is enough. */
const paths: readonly [path: RegExp, scope: Scope | null][] = [
  [/^\/v1\/(me|capabilities)$/, null],
  [/^\/v1\/(search|qa)$/, 'search:read'],
  [/^\/v1\/events\/stream$/, 'webhooks:read'],
  [/^\/v1\/analytics\//, 'analytics:read'],
  [/^\/v1\/api-logs$/, 'logs:read'],
  [/^\/v1\/portal\/tokens\b/, 'portal:write'],
];

/** The scopes that a key must hold beside the scope above. */
const beside: Readonly<Record<string, readonly Scope[]>> = {
  // Whoever holds the token reads and searches the files of the space.
  'POST /v1/portal/tokens': ['files:read', 'search:read'],
};

function scopeFor(method: string, path: string): Scope | null {
  const exact = paths.find(([pattern]) => pattern.test(path));
  if (exact) return exact[1];
  const resource = resources.find(([pattern]) => pattern.test(path))?.[1];
  if (!resource) throw new Error(`no line of the matrix says who may ask ${method} ${path}`);
  return `${resource}:${method === 'GET' ? 'read' : 'write'}` as Scope;
}

it.each(routeTable.filter(({ stack }) => stack === 'key' || stack === 'shared'))(
  '$name asks for exactly the scopes of the matrix',
  (route) => {
    const { method, path } = route;
    const scope = scopeFor(method, path);
    const wanted = scope === null ? [] : [scope, ...(beside[`${method} ${path}`] ?? [])];
    expect(scopesOf(route)).toStrictEqual(wanted);
  },
);

it('only system rows, the sign-in, signed URLs, callbacks and the check of a portal token are open to everyone', () => {
  const open = routeTable.filter(({ stack, path }) => stack === 'public' && path.startsWith('/v1/'));
  expect(open.map(({ name }) => name)).toStrictEqual([
    'getVariantContent',
    'receiveExtractionResult',
    'exchangeSignInCode',
    'verifyPortalToken',
  ]);
});
