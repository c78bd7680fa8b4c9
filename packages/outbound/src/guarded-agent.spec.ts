// Real: sockets on loopback. Replaced: the name server, since rebinding needs one of ours.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
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
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  after(async () => {
    await Promise.all(agents.map((agent) => agent.destroy()));
    server.close();
  });

  function agentWith(allow: string, answers: string[][] = []): Dispatcher {
    const resolve = async () => answers.shift() ?? ['127.0.0.1'];
    const policy = new OutboundPolicy({ allow, resolveByDns: resolve, resolveBySystem: resolve });
    const agent = createGuardedAgent({ policy, connectTimeoutMs: 2_000, keepAliveMs: 1_000 });
    agents.push(agent);
    return agent;
  }

  const get = async (url: string, dispatcher: Dispatcher) => (await request(url, { dispatcher })).body.text();

  it('reaches what the operator allows, by name and by address', async () => {
    assert.equal(await get(`http://hooks.internal:${port}/`, agentWith('hooks.internal')), 'reached');
    assert.equal(await get(`http://127.0.0.1:${port}/`, agentWith('127.0.0.1')), 'reached');
  });

  it('is never opened to a private address, however the URL spells it', async () => {
    const before = seen;
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]', 'rebound.example.com', '0']) {
      for (const scheme of ['http', 'https']) {
        const attempt = get(`${scheme}://${host}:${port}/`, agentWith(''));
        await assert.rejects(attempt, { code: 'KILN_OUTBOUND_REFUSED' }, host);
      }
    }
    assert.equal(seen, before);
  });

  it('goes to the addresses of a name that were checked, and is refused when the name was rebound before it is opened', async () => {
    const rebound = [['127.0.0.1'], ['10.0.0.1']];
    const agent = agentWith('127.0.0.0/8', rebound);
    assert.equal(await get(`http://example.com:${port}/`, agent), 'reached');
    await agent.close();
    const again = agentWith('127.0.0.0/8', rebound);
    await assert.rejects(get(`http://example.com:${port}/`, again), { code: 'KILN_OUTBOUND_REFUSED' });
  });

  it('is plain http only to what the operator allows, also when the name has become public', async () => {
    const agent = agentWith('', [['93.184.215.14']]);
    await assert.rejects(get('http://example.com/', agent), { code: 'KILN_OUTBOUND_REFUSED', message: /https/ });
  });
});
