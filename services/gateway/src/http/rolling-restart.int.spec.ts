// Real: gateway processes, Postgres, NATS, Redis, object store. FAKES: the services (responders on the real bus, see
// test/fake-services.ts); the balancer, as a client that takes the replicas round robin and leaves out one that is not ready.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@kiln/testing';
import { startFakes, type FakeServices } from '../test/fake-services.js';
import { GatewayProcess, TEST_KEY, testSurroundings, type TestSurroundings } from '../test/gateway-process.js';

const CALLERS = 6;
const CALL_INTERVAL_MS = 10;
const PROBE_INTERVAL_MS = 100;
const REPEATS = 10;
const REPEAT_INTERVAL_MS = 500;

let surroundings: TestSurroundings;
let fakes: FakeServices;
beforeAll(async () => {
  surroundings = await testSurroundings();
  fakes = await startFakes(surroundings);
});
afterAll(async () => {
  await fakes.stop();
  await surroundings.close();
});

const environment = {
  KILN_RATE_LIMIT_RPS: '100000',
  KILN_RATE_LIMIT_BURST: '100000',
  KILN_LOG_LEVEL: 'warn',
  // This test process may stand still on a busy machine, but not so long.
  KILN_DRAIN_NOTICE_SECONDS: '12',
};
const startGateway = () => GatewayProcess.start(surroundings, environment);

const isReady = ({ url }: GatewayProcess) =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );

/** Sends one GET on a kept connection. Returns its status, and whether the gateway wants no more requests on it. */
async function get(agent: Agent, url: string): Promise<{ status: number; isLeaving: boolean }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `ApiKey ${TEST_KEY}` };
    // No caller retries here, so a refused connection is a failed request.
    request(url, { agent, headers }, resolve).once('error', reject).end();
  });
  response.resume();
  await new Promise((resolve, reject) => response.once('end', resolve).once('error', reject));
  return { status: response.statusCode ?? 0, isLeaving: response.headers.connection === 'close' };
}

/**
 * The fakes, in this process, may answer too late on a busy machine. Then the same gateway is asked again: one that has left the bus
 * too early does not recover.
 */
async function getAgain(agent: Agent, url: string): ReturnType<typeof get> {
  let answer = await get(agent, url);
  for (let again = 0; answer.status === 503 && again < REPEATS; again++) {
    await delay(REPEAT_INTERVAL_MS);
    answer = await get(agent, url);
  }
  return answer;
}

it('two gateways can be replaced one after the other without one failed request', async () => {
  const agent = new Agent({ keepAlive: true });
  const started = [await startGateway(), await startGateway()];
  let replicas: GatewayProcess[] = [...started];
  /** The processes that stop. A probe that comes late on a busy machine would miss the time in which a gateway says so. */
  const leaving = new Set<GatewayProcess>();
  const failures: string[] = [];
  const answered = [0, 0, 0, 0];
  let phase = 0;
  let sent = 0;
  const done = new AbortController();
  const balance = async () => {
    while (!done.signal.aborted) {
      await delay(PROBE_INTERVAL_MS);
      const ready = await Promise.all(started.map(isReady));
      const found = started.filter((replica, index) => ready[index] && !leaving.has(replica));
      // On a busy machine all may be slow to say that they are ready.
      if (found.length > 0) replicas = found;
    }
  };
  const caller = async () => {
    while (!done.signal.aborted) {
      const replica = replicas[sent++ % replicas.length];
      await delay(CALL_INTERVAL_MS);
      if (!replica) continue;
      const answer = await getAgain(agent, `${replica.url}/v1/files`).catch(String);
      if (typeof answer === 'string' || answer.status !== 200)
        failures.push(`phase ${phase}: ${JSON.stringify(answer)}`);
      else if (answer.isLeaving) leaving.add(replica);
      replicas = replicas.filter((each) => !leaving.has(each));
      answered[phase] = (answered[phase] ?? 0) + 1;
    }
  };
  const callers = [balance(), ...Array.from({ length: CALLERS }, caller)];
  const progress = (wanted: number) => eventually(() => (answered[phase] ?? 0) >= wanted);
  await progress(100);
  for (const old of started.slice()) {
    phase++;
    started.push(await startGateway());
    expect(await old.stop()).toBe(0); // The balancer has to notice by itself.
    started.splice(started.indexOf(old), 1);
    await progress(100);
  }
  phase++;
  await progress(100);
  done.abort();
  await Promise.all(callers);
  agent.destroy();
  await Promise.all(started.map((replica) => replica.stop()));
  expect(failures).toStrictEqual([]);
});
