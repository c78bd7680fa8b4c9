// Real: sockets on loopback. Faked: the name server, which rebinds names.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request, type Dispatcher } from 'undici';
import { createGuardedAgent } from './guarded-agent.js';
import { OutboundPolicy } from './outbound-policy.js';

describe('a guarded connection', () => {
  let seen = 0;
  const server = createServer((_request, response) => {
    seen++;
    response.end('reached');
  });
  let port = 0;
  const agents: Dispatcher[] = [];
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    await Promise.all(agents.map((agent) => agent.destroy()));
    server.close();
  });

  function agentWith(allow: string, answers: string[][] = []): Dispatcher {
    const resolve = async () => answers.shift() ?? ['127.0.0.1'];
    const policy = new OutboundPolicy({ allow, resolveByDns: resolve, resolveBySystem: resolve });
    const agent = createGuardedAgent({ policy, connectTimeoutMs: 60_000, keepAliveMs: 1_000 });
    agents.push(agent);
    return agent;
  }

  const get = async (url: string, dispatcher: Dispatcher) => (await request(url, { dispatcher })).body.text();

  it('reaches hosts that the operator allows, by name and by address', async () => {
    expect(await get(`http://hooks.internal:${port}/`, agentWith('hooks.internal'))).toBe('reached');
    expect(await get(`http://127.0.0.1:${port}/`, agentWith('127.0.0.1'))).toBe('reached');
  });

  it('is never opened to a private address, however the URL spells it', async () => {
    const before = seen;
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]', 'rebound.example.com', '0']) {
      for (const scheme of ['http', 'https']) {
        const attempt = get(`${scheme}://${host}:${port}/`, agentWith(''));
        await expect(attempt).rejects.toMatchObject({ code: 'KILN_OUTBOUND_REFUSED' });
      }
    }
    expect(seen).toBe(before);
  });

  it('uses the checked addresses of a name, and is refused when the name was rebound before it is opened', async () => {
    const rebound = [['127.0.0.1'], ['10.0.0.1']];
    const agent = agentWith('127.0.0.0/8', rebound);
    expect(await get(`http://example.com:${port}/`, agent)).toBe('reached');
    await agent.close();
    const again = agentWith('127.0.0.0/8', rebound);
    await expect(get(`http://example.com:${port}/`, again)).rejects.toMatchObject({ code: 'KILN_OUTBOUND_REFUSED' });
  });

  it('uses plain http only to hosts that the operator allows, even when the name has become public', async () => {
    const agent = agentWith('', [['93.184.215.14']]);
    await expect(get('http://example.com/', agent)).rejects.toMatchObject({
      code: 'KILN_OUTBOUND_REFUSED',
      message: expect.stringMatching(/https/),
    });
  });
});
