// Real: two gateway processes, Postgres, NATS, Redis, object store.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { GatewayPair } from '../test/gateway-pair.js';
import { TEST_KEY } from '../test/gateway-process.js';

const ORIGINS = ['https://app.example.com', 'http://localhost:3000'];

describe('the settings of the portal', () => {
  let pair: GatewayPair;
  beforeAll(async () => {
    pair = await GatewayPair.start();
  });
  afterAll(() => pair.stop());

  async function ask(method: string, body?: unknown, key = TEST_KEY) {
    const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' };
    const response = await pair.first.fetch('/v1/org/portal', {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  const policyOf = async (organizationId: string) =>
    (await pair.second.fetch(`/portal/${organizationId}`)).headers.get('content-security-policy');

  it('list no origin at first, keep what a change omits, and replace the list', async () => {
    expect(await ask('GET')).toStrictEqual({ status: 200, body: { frame_ancestors: [] } });
    expect((await ask('PUT', { frame_ancestors: ORIGINS })).body).toStrictEqual({ frame_ancestors: ORIGINS });
    expect((await ask('PUT', {})).body).toStrictEqual({ frame_ancestors: ORIGINS });
    expect((await ask('PUT', { frame_ancestors: ORIGINS.slice(1) })).body).toStrictEqual({
      frame_ancestors: ORIGINS.slice(1),
    });
    expect((await ask('GET')).body).toStrictEqual({ frame_ancestors: ORIGINS.slice(1) });
  });

  it('refuse what is no origin with 400, and keep the list', async () => {
    const before = (await ask('GET')).body;
    const refused = await ask('PUT', { frame_ancestors: ['https://app.example.com', 'https://*.example.com'] });
    expect([refused.status, refused.body['code'], refused.body['error']]).toStrictEqual([
      400,
      'BAD_REQUEST',
      expect.stringMatching(/^frame_ancestors\[1\] must be an origin such as/),
    ]);
    expect((await ask('GET')).body).toStrictEqual(before);
  });

  it('apply to the page on every gateway, and to no other organization', async () => {
    const id = await pair.firstOrganizationId();
    const other = await pair.organizations.create('Other', 'free');
    await ask('PUT', { frame_ancestors: ORIGINS });
    await eventually(async () => (await policyOf(id))?.endsWith(`frame-ancestors ${ORIGINS.join(' ')}`) === true);
    expect(await policyOf(other.id)).toMatch(/frame-ancestors 'none'$/);
    await ask('PUT', { frame_ancestors: [] });
    await eventually(async () => (await policyOf(id))?.endsWith("frame-ancestors 'none'") === true);
  });
});
