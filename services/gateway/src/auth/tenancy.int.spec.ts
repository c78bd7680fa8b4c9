// Derived from the route table: every row, with the ids of others and with every scope. A new row is covered without a change here.
// Real: a gateway process, Postgres, NATS, Redis, object store; keys and portal tokens. FAKES: all services, which know only
// who owns which id (see test/owning-services.ts).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { idPrefixes, scopes, type IdKind, type KeyMode } from '@kiln/contracts';
import type { Database } from '@kiln/platform';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { ApiKeyStore } from '../keys/api-key.store.js';
import { OrganizationStore } from '../organizations/organization.store.js';
import { newPortalToken } from '../portal/portal-token.domain.js';
import type { Route } from '../routes/kinds.route.js';
import { scopesOf } from '../routes/row-facts.domain.js';
import { pathParameters, routeTable } from '../routes/table.routes.js';
import { GatewayProcess, openDatabase, testSurroundings, type TestSurroundings } from '../test/gateway-process.js';
import { OwningServices } from '../test/owning-services.js';
import { newApiKey } from '../keys/api-key.domain.js';

const GENEROUS = { KILN_RATE_LIMIT_BURST: '100000', KILN_RATE_LIMIT_RPS: '100000' };
const SPACE = 'shared-name';
const REPEATS = 10;

/** One tenant of an organization, and who may see it. */
interface OwnedTenant {
  organizationId: string;
  tenantId: string;
  authorization: Record<'key' | 'portal', string>;
}

/** A value for a `:parameter`, and its owner. */
interface Parameter {
  make: (owner: OwnedTenant) => Promise<string>;
  ownedBy: 'tenant' | 'organization' | 'none';
}

describe('tenancy', () => {
  let surroundings: TestSurroundings;
  let services: OwningServices;
  let gateway: GatewayProcess;
  let database: Database;
  let mine: OwnedTenant;
  let myTestTenant: OwnedTenant;
  let stranger: OwnedTenant;

  beforeAll(async () => {
    surroundings = await testSurroundings();
    services = new OwningServices(surroundings.infrastructure.natsUrl, surroundings.namespace);
    await services.start();
    database = await openDatabase(surroundings);
    gateway = await GatewayProcess.start(surroundings, GENEROUS);
    const organizations = new OrganizationStore(database);
    const [first, second] = [await organizations.create('A', 'free'), await organizations.create('B', 'free')];
    mine = await tenantOf(first.id, 'live');
    myTestTenant = await tenantOf(first.id, 'test');
    stranger = await tenantOf(second.id, 'live');
  });
  afterAll(async () => {
    await gateway.stop();
    await services.stop();
    await database.close();
    await surroundings.close();
  });

  async function newKey(
    organizationId: string,
    mode: KeyMode = 'live',
    held: readonly (typeof scopes)[number][] = ['*'],
  ) {
    const { value, fingerprint } = newApiKey(mode);
    const key = { name: 'made by the test', scopes: held, expires_at: null };
    return { value, id: (await new ApiKeyStore(database).create(organizationId, fingerprint, key)).id };
  }

  async function newToken(authorization: string): Promise<string> {
    const headers = { authorization };
    const answer = await gateway.post('/v1/portal/tokens', { space: SPACE }, headers);
    return ((await answer.json()) as { token: string }).token;
  }

  async function tenantOf(organizationId: string, mode: KeyMode): Promise<OwnedTenant> {
    const key = `ApiKey ${(await newKey(organizationId, mode)).value}`;
    const portal = `PortalToken ${await newToken(key)}`;
    const tenantId = (await new OrganizationStore(database).findTenants(organizationId))?.[mode] ?? '';
    return { organizationId, tenantId, authorization: { key, portal } };
  }

  /** Finds out by the row's own schema what the parameter is. Fails for one that this test can't make. */
  function parameterOf(route: Route, name: string): Parameter {
    const schema = route.params?.shape[name] as z.ZodType;
    const accepts = (value: string) => schema.safeParse(value).success;
    if (schema instanceof z.ZodEnum) return { make: async () => String(schema.options[0]), ownedBy: 'none' };
    if (name === 'token' && accepts(newPortalToken().value)) {
      return { make: ({ authorization }) => newToken(authorization.key), ownedBy: 'tenant' };
    }
    // A name is not an id: the same name in another tenant is another resource.
    if (accepts(SPACE)) return { make: async () => SPACE, ownedBy: 'none' };
    if (accepts('1')) return { make: async () => '1', ownedBy: 'none' };
    const kinds = (Object.keys(idPrefixes) as IdKind[]).filter((kind) => accepts(services.own(kind, 'nobody')));
    const [kind] = kinds;
    if (!kind || kinds.length !== 1) throw new Error(`teach this test to make a :${name} for ${route.name}`);
    const ownedBy = route.stack === 'key' && route.ofOrganization ? 'organization' : 'tenant';
    if (kind === 'key') return { make: async ({ organizationId }) => (await newKey(organizationId)).id, ownedBy };
    return { make: async ({ tenantId }) => services.own(kind, tenantId), ownedBy };
  }

  /** On a busy machine the services may answer too late, and then the request is repeated. */
  async function statusOf(...request: Parameters<typeof statusOnce>): Promise<number> {
    let status = await statusOnce(...request);
    for (let again = 0; status === 503 && again < REPEATS; again++) {
      await delay(1_000);
      status = await statusOnce(...request);
    }
    return status;
  }

  /** Sends a request of the row for things of `owner`, made for this one request, with the credentials of `caller`. */
  async function statusOnce(route: Route, owner: OwnedTenant, authorization: string): Promise<number> {
    let path = route.path;
    for (const name of pathParameters(route.path)) {
      path = path.replace(`:${name}`, await parameterOf(route, name).make(owner));
    }
    const body = route.body === undefined ? {} : { body: JSON.stringify(route.example.request) };
    const headers = { authorization, 'content-type': 'application/json' };
    return (await fetch(`${gateway.url}${path}`, { method: route.method, headers, ...body })).status;
  }

  const guarded = routeTable.filter((route) => route.stack !== 'public');
  const credentials = ({ stack }: Route, tenant: OwnedTenant) =>
    tenant.authorization[stack === 'portal' ? 'portal' : 'key'];
  const ownersOf = (route: Route) => pathParameters(route.path).map((name) => parameterOf(route, name).ownedBy);

  it('hides every id from another organization as if it did not exist, on every row that takes one', async () => {
    const rows = guarded.filter((route) => ownersOf(route).some((owner) => owner !== 'none'));
    expect(rows.length).toBeGreaterThanOrEqual(6);
    const wrong: object[] = [];
    for (const route of rows) {
      const own = await statusOf(route, mine, credentials(route, mine));
      const asStranger = await statusOf(route, mine, credentials(route, stranger));
      const ofStranger = await statusOf(route, stranger, credentials(route, mine));
      if (own === 404 || own >= 500 || asStranger !== 404 || ofStranger !== 404)
        wrong.push({ route: route.name, own, asStranger, ofStranger });
    }
    expect(wrong).toStrictEqual([]);
  });

  it("hides every id of one tenant from the other mode's credentials; what belongs to the organization is visible to both", async () => {
    const wrong: object[] = [];
    for (const route of guarded) {
      const owners = ownersOf(route);
      if (owners.includes('tenant')) {
        const liveInTest = await statusOf(route, mine, credentials(route, myTestTenant));
        const testInLive = await statusOf(route, myTestTenant, credentials(route, mine));
        if (liveInTest !== 404 || testInLive !== 404) wrong.push({ route: route.name, liveInTest, testInLive });
      } else if (owners.includes('organization')) {
        const status = await statusOf(route, mine, credentials(route, myTestTenant));
        if (status === 404) wrong.push({ route: route.name, status });
      }
    }
    expect(wrong).toStrictEqual([]);
  });

  it('answers 403 to each single scope exactly where the row asks for another, and never to *', async () => {
    const rows = guarded.filter(({ stack }) => stack === 'key');
    const wrong: object[] = [];
    for (const scope of scopes) {
      const { value } = await newKey(mine.organizationId, 'live', [scope]);
      for (const route of rows) {
        const status = await statusOf(route, mine, `ApiKey ${value}`);
        const lacking = scope !== '*' && scopesOf(route).some((wanted) => wanted !== scope);
        // To make a key, a caller needs keys:write, and the scopes of the new key.
        const givesMore = route.name === 'createApiKey' && scope === 'keys:write';
        if (status >= 500 || (status === 403) !== (lacking || givesMore))
          wrong.push({ route: route.name, scope, status });
      }
    }
    expect(wrong).toStrictEqual([]);
  });
});
