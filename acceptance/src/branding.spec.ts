// The name, the colour and the logo of the portal.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyOf, type KilnClient } from './support/kiln-client.js';
import { newSpace } from './support/stored-files.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const LOGO = `data:image/png;base64,${Buffer.from('not shown here').toString('base64')}`;

describe('the branding of the portal', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  beforeAll(async () => {
    system = await systemUnderTest();
    client = system.client;
  });
  afterAll(() => system.stop());

  const put = (json: object, headers: Record<string, string> = {}) =>
    client.request('PUT', '/v1/org/branding', { json, headers });
  const get = async () => bodyOf(await client.get('/v1/org/branding'), 200);

  it('is set by parts, removed by null, and read with a portal token', async () => {
    bodyOf(await put({ name: null, color: null, logo: null }), 200);
    bodyOf(await put({ name: 'Acme', logo: LOGO }), 200);
    expect(bodyOf(await put({ color: '#1A2b3C' }), 200)).toStrictEqual({ name: 'Acme', color: '#1a2b3c', logo: LOGO });
    const { token } = bodyOf(await client.post<{ token: string }>('/v1/portal/tokens', { space: newSpace() }), 201);
    const headers = { authorization: `PortalToken ${token}` };
    const shown = await client.request('GET', '/v1/portal/branding', { headers });
    expect(bodyOf(shown, 200)).toStrictEqual(await get());
    expect((await put({ name: 'No' }, headers)).status).toBe(401);
    expect(bodyOf(await put({ logo: null }), 200)).toStrictEqual({ name: 'Acme', color: '#1a2b3c', logo: null });
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ color: 'red' }, 'color'],
    [{ color: '#12345' }, 'color'],
    [{ logo: 'https://example.com/logo.png' }, 'logo'],
    [{ logo: 'data:text/html;base64,PGI+' }, 'logo'],
    [{ logo: `data:image/png;base64,${'A'.repeat(70_000)}` }, 'logo'],
  ])('is not %j', async (json, field) => {
    const refused = await put(json);
    expect([refused.status, String(refused.body['error'])]).toStrictEqual([400, expect.stringMatching(`^${field} `)]);
  });
});
