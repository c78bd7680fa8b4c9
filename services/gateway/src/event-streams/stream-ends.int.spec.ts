// Real: gateway processes, Postgres, NATS with JetStream, Redis. FAKED: the services that emit the events.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { EventReader } from '../test/event-reader.js';
import { GatewayPair } from '../test/gateway-pair.js';
import { PublicEvents } from '../test/public-events.js';

const PATH = '/v1/events/stream';

describe('a stream of events ends', () => {
  let pair: GatewayPair;
  let events: PublicEvents;
  let organizationId: string;
  beforeAll(async () => {
    pair = await GatewayPair.start();
    const { infrastructure, namespace } = pair.surroundings;
    events = await PublicEvents.connect(infrastructure.natsUrl, namespace);
    organizationId = (await pair.organizations.create('A', 'free')).id;
  });
  afterAll(async () => {
    await events.close();
    await pair.stop();
  });

  const open = (authorization: string, gateway = pair.first, headers: Record<string, string> = {}) =>
    EventReader.open(gateway.url + PATH, { authorization, ...headers });

  it('when its key or its portal token is revoked or expires; the client is then refused', async () => {
    const keys = [await pair.newKey({ organizationId }), await pair.newKey({ organizationId })];
    const [revoked = '', kept = ''] = keys.map(({ value }) => `ApiKey ${value}`);
    const newToken = async () => {
      const answer = await pair.first.post('/v1/portal/tokens', { space: 'a' }, { authorization: kept });
      return ((await answer.json()) as { token: string }).token;
    };
    const token = await newToken();
    const going = await open(kept);
    const ending = [await open(revoked), await open(`PortalToken ${token}`)];
    const headers = { authorization: kept };
    expect((await pair.first.fetch(`/v1/org/api-keys/${keys[0]?.id}`, { method: 'DELETE', headers })).status).toBe(200);
    expect((await pair.first.fetch(`/v1/portal/tokens/${token}`, { method: 'DELETE', headers })).status).toBe(200);
    await eventually(() => ending.every(({ ended }) => ended));
    expect(going.ended).toBe(false);
    expect((await open(revoked)).response.statusCode).toBe(401);
    going.close();
  });

  it('when its gateway stops, and resumes on another', async () => {
    const { live: tenantId = '' } = (await pair.organizations.findTenants(organizationId)) ?? {};
    const authorization = `ApiKey ${(await pair.newKey({ organizationId })).value}`;
    const reader = await open(authorization, pair.second);
    const first = events.created(tenantId, 'first');
    await eventually(() => expect(reader.ids).toStrictEqual([first]));
    const stopped = pair.second.stop();
    await eventually(() => reader.ended);
    const missed = events.created(tenantId, 'missed');
    const resumed = await open(authorization, pair.first, { 'last-event-id': first });
    await eventually(() => expect(resumed.ids).toStrictEqual([missed]));
    expect(await stopped).toBe(0);
    resumed.close();
  });
});
