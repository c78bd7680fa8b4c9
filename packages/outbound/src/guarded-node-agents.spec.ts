// Real: sockets on loopback. Faked: the name server, which rebinds names.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, request as plainRequest, type IncomingMessage } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createGuardedNodeAgents, type NodeAgents } from './guarded-node-agents.js';
import { OutboundPolicy } from './outbound-policy.js';

const PATIENT_MS = 60_000;

describe("a guarded connection of one of Node's own agents", () => {
  let connections = 0;
  // Longer than this process may stand still: no end closes a connection between two requests.
  const server = createServer({ keepAliveTimeout: PATIENT_MS }, (_request, response) => void response.end('reached'));
  server.on('connection', () => connections++);
  let port = 0;
  const opened: NodeAgents[] = [];
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    for (const agents of opened) {
      agents.http.destroy();
      agents.https.destroy();
    }
    server.close();
  });

  function agentsWith(allow: string, answers: string[][] = []): NodeAgents {
    const resolve = async () => answers.shift() ?? ['127.0.0.1'];
    const policy = new OutboundPolicy({ allow, resolveByDns: resolve, resolveBySystem: resolve });
    const agents = createGuardedNodeAgents({
      policy,
      connectTimeoutMs: PATIENT_MS,
      keepAliveMs: PATIENT_MS,
      socketsMax: 4,
    });
    opened.push(agents);
    return agents;
  }

  async function get(url: string, agents: NodeAgents): Promise<string> {
    const isPlain = url.startsWith('http:');
    const call = isPlain ? plainRequest(url, { agent: agents.http }) : tlsRequest(url, { agent: agents.https });
    const [response] = (await once(call.end(), 'response')) as [IncomingMessage];
    return text(response);
  }

  it('reaches hosts that the operator allows, by name and by address, and is reused', async () => {
    const agents = agentsWith('buckets.internal,127.0.0.1');
    expect(await get(`http://buckets.internal:${port}/`, agents)).toBe('reached');
    const before = connections;
    for (let count = 0; count < 3; count++) expect(await get(`http://127.0.0.1:${port}/`, agents)).toBe('reached');
    expect(connections).toBe(before + 1);
  });

  it('is never opened to a private address, however the URL spells it', async () => {
    const before = connections;
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]', 'rebound.example.com', '0']) {
      for (const scheme of ['http', 'https']) {
        const attempt = get(`${scheme}://${host}:${port}/`, agentsWith(''));
        await expect(attempt).rejects.toMatchObject({ code: 'KILN_OUTBOUND_REFUSED' });
      }
    }
    expect(connections).toBe(before);
  });

  it('uses the checked addresses of a name, and is refused when the name was rebound before it is opened', async () => {
    const rebound = [['127.0.0.1'], ['10.0.0.1']];
    expect(await get(`http://example.com:${port}/`, agentsWith('127.0.0.0/8', rebound))).toBe('reached');
    const again = get(`http://example.com:${port}/`, agentsWith('127.0.0.0/8', rebound));
    await expect(again).rejects.toMatchObject({ code: 'KILN_OUTBOUND_REFUSED' });
  });

  it('uses plain http only to hosts that the operator allows', async () => {
    const attempt = get('http://example.com/', agentsWith('', [['93.184.215.14']]));
    await expect(attempt).rejects.toMatchObject({
      code: 'KILN_OUTBOUND_REFUSED',
      message: expect.stringMatching(/https/),
    });
  });
});
