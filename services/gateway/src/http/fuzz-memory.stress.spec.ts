// Real: gateway process, Postgres, NATS, Redis, object store. FAKES: the services (responders on the real bus).
import { expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { startFakes } from '../test/fake-services.js';
import { fuzzRequests, type FuzzRequest } from '../test/fuzz-requests.js';
import { GatewayProcess, TEST_KEY, testSurroundings } from '../test/gateway-process.js';

const REQUESTS = 18_000;
const WARM_UP_REQUESTS = 6_000;
const AT_ONCE = 48;
const GROWTH_BYTES_MAX = 128 * 1024 * 1024;

it('the memory of a gateway process stays, whatever malformed requests it gets', async () => {
  const surroundings = await testSurroundings();
  const fakes = await startFakes(surroundings);
  const unlimited = { KILN_RATE_LIMIT_RPS: '100000', KILN_RATE_LIMIT_BURST: '100000', KILN_LOG_LEVEL: 'error' };
  const gateway = await GatewayProcess.start(surroundings, unlimited);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const residentBytes = () =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${gateway.child.pid}/status`, 'utf8'))?.[1]) * 1024;
  const send = ({ method, path, headers, body }: FuzzRequest) =>
    new Promise<void>((resolve) => {
      const length = body ? { 'content-length': String(body.length) } : {};
      const outgoing = request(gateway.url, { agent, method, path, headers: { ...headers, ...length } }, (response) => {
        response
          .resume()
          .once('error', () => undefined)
          .once('close', resolve);
        // A stream of events ends only when its caller ends it.
        if (response.headers['content-type']?.startsWith('text/event-stream') === true) response.destroy();
      });
      outgoing.once('error', () => resolve()).end(body ?? undefined);
    });
  const queue = fuzzRequests(`ApiKey ${TEST_KEY}`, REQUESTS, testSeed()).values();
  let sent = 0;
  let before = 0;
  const worker = async () => {
    for (const each of queue) {
      await send(each);
      // Other requests are under way, as at the end.
      if (++sent === WARM_UP_REQUESTS) before = residentBytes();
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect(residentBytes() - before).toBeLessThan(GROWTH_BYTES_MAX);
  } finally {
    agent.destroy();
    await gateway.stop();
    await fakes.stop();
    await surroundings.close();
  }
}, 600_000);
