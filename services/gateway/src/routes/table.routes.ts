// All rows, and the checks that prevent a start with an invalid row.
import { scopes } from '@kiln/contracts';
import { analyticsRoutes } from './analytics.routes.js';
import { batchesRoutes } from './batches.routes.js';
import { connectionSetupRoutes } from './connection-setup.routes.js';
import { connectionsRoutes } from './connections.routes.js';
import { contentRoutes } from './content.routes.js';
import { eventsRoutes } from './events.routes.js';
import { extractionsRoutes } from './extractions.routes.js';
import { filesRoutes } from './files.routes.js';
import { jobsRoutes } from './jobs.routes.js';
import { keysRoutes } from './keys.routes.js';
import { nodesRoutes } from './nodes.routes.js';
import { organizationRoutes } from './organization.routes.js';
import { pageImagesRoutes } from './page-images.routes.js';
import { portalRoutes } from './portal.routes.js';
import { providerKeysRoutes } from './provider-keys.routes.js';
import { requestLogRoutes } from './request-log.routes.js';
import type { Route } from './kinds.route.js';
import { scopesOf } from './row-facts.domain.js';
import { searchRoutes } from './search.routes.js';
import { signInRoutes } from './sign-in.routes.js';
import { spacesRoutes } from './spaces.routes.js';
import { syncsRoutes } from './syncs.routes.js';
import { systemRoutes } from './system.routes.js';
import { uploadRoutes } from './upload.routes.js';
import { uploadsRoutes } from './uploads.routes.js';
import { webhookDeliveriesRoutes } from './webhook-deliveries.routes.js';
import { webhooksRoutes } from './webhooks.routes.js';

export const routeTable: readonly Route[] = [
  ...uploadRoutes,
  ...uploadsRoutes,
  ...filesRoutes,
  ...contentRoutes,
  ...pageImagesRoutes,
  ...extractionsRoutes,
  ...batchesRoutes,
  ...spacesRoutes,
  ...jobsRoutes,
  ...searchRoutes,
  ...organizationRoutes,
  ...providerKeysRoutes,
  ...keysRoutes,
  ...signInRoutes,
  ...portalRoutes,
  // These rows come before `/v1/connections/:id`, which would match their paths.
  ...connectionSetupRoutes,
  ...connectionsRoutes,
  ...syncsRoutes,
  ...nodesRoutes,
  ...webhooksRoutes,
  ...webhookDeliveriesRoutes,
  ...eventsRoutes,
  ...analyticsRoutes,
  ...requestLogRoutes,
  ...systemRoutes,
];

/** Names of the `:parameters` of an Express path. */
export const pathParameters = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');

/** Throws one error that lists every fault of the table. */
export function assertRouteTable(routes: readonly Route[]): void {
  const faults = [
    ...repeated(routes),
    ...routes.flatMap((route) => faultsOf(route).map((fault) => `${route.name}: ${fault}`)),
  ];
  if (faults.length > 0) throw new Error(`the route table is wrong:\n  ${faults.join('\n  ')}`);
}

function repeated(routes: readonly Route[]): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const { name, method, path } of routes) {
    // Two paths that differ only in their parameters' names match the same requests.
    for (const identity of [`name ${name}`, `${method} ${path.replaceAll(/:\w+/g, ':')}`]) {
      if (seen.has(identity)) faults.push(`${name}: ${identity} is there twice`);
      seen.add(identity);
    }
  }
  return faults;
}

function faultsOf(route: Route): string[] {
  const faults: string[] = [];
  const known: readonly string[] = scopes;
  for (const scope of scopesOf(route)) {
    if (!known.includes(scope) || scope === '*') faults.push(`unknown scope ${scope}`);
  }
  for (const name of route.secretParams ?? []) {
    if (!pathParameters(route.path).includes(name)) faults.push(`the path has no parameter ${name} to keep secret`);
  }
  const inPath = pathParameters(route.path).sort().join(', ');
  const described = Object.keys(route.params?.shape ?? {})
    .sort()
    .join(', ');
  if (inPath !== described) faults.push(`the path has parameters (${inPath}), the row describes (${described})`);
  if (route.method === 'GET' && (route.body ?? route.streamedBody) !== undefined) faults.push('GET takes no body');
  if (route.body !== undefined && route.streamedBody !== undefined) faults.push('a row has one body');
  return faults;
}
