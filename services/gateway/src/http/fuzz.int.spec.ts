// Real: gateway process, Postgres, NATS, Redis, object store. FAKES: the services (responders on the real bus).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomCases, testSeed } from '@kiln/testing/seed';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fuzzBytes, fuzzRequests, type FuzzRequest } from '../test/fuzz-requests.js';
import { TEST_KEY } from '../test/gateway-process.js';
import { ServedGateway } from '../test/served-gateway.js';

const REQUESTS = randomCases({ gate: 4_500, stress: 18_000 });
const RAW_REQUESTS = randomCases({ gate: 500, stress: 2_000 });
const AT_ONCE = 48;
/** A request without an answer, or a connection without an end, fails after this time, which names its seed. */
const DEADLINE_MS = 120_000;
const REPEATS = 30;
const REPEAT_INTERVAL_MS = 1_000;
const SEED = testSeed();

interface Answer {
  status: number;
  requestId: string | undefined;
  body: string;
}

describe('malformed requests to a gateway process', () => {
  let gateway: ServedGateway;
  const authorization = `ApiKey ${TEST_KEY}`;
  beforeAll(async () => {
    gateway = await ServedGateway.start({
      KILN_RATE_LIMIT_RPS: '100000',
      KILN_RATE_LIMIT_BURST: '100000',
      KILN_LOG_LEVEL: 'error',
    });
  });
  afterAll(() => gateway.stop());

  /** Rejects when the deadline passes. Returns null when the gateway cut the connection, as it may with half-read bodies. */
  const send = (agent: Agent, { method, path, headers, body }: FuzzRequest) =>
    new Promise<Answer | null>((resolve, reject) => {
      const pieces: Buffer[] = [];
      const length = body ? { 'content-length': String(body.length) } : {};
      const options = { agent, method, path, headers: { ...headers, ...length }, timeout: DEADLINE_MS };
      const outgoing = request(gateway.process.url, options, (response) => {
        const answered = () => {
          const requestId = response.headers['x-request-id'];
          const whole = { status: response.statusCode ?? 0, body: Buffer.concat(pieces).toString() };
          resolve({ ...whole, requestId: typeof requestId === 'string' ? requestId : undefined });
        };
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.once('error', () => resolve(null));
        response.once('end', answered);
        if (!response.headers['content-type']?.startsWith('text/event-stream')) return;
        // A stream does not end.
        answered();
        outgoing.destroy();
      });
      outgoing.once('timeout', () => reject(new Error('no answer in time')));
      outgoing.once('error', () => resolve(null));
      outgoing.end(body ?? undefined);
    });

  function assertProper(answer: Answer, method: string): void {
    if (answer.status < 200 || answer.status >= 500) throw new Error(`${answer.status}: ${answer.body}`);
    if (!answer.requestId) throw new Error('no requestId');
    if (answer.status < 400 || method === 'HEAD') return;
    const { error, code, requestId } = JSON.parse(answer.body) as Record<string, unknown>;
    expect([typeof error, typeof code, requestId]).toStrictEqual(['string', 'string', answer.requestId]);
  }

  /** On a busy machine the fakes may answer too late. A fault of the gateway stays. */
  async function untilAvailable<Result>(
    attempt: () => Promise<Result>,
    isUnavailable: (result: Result) => boolean,
  ): Promise<Result> {
    let result = await attempt();
    for (let again = 0; isUnavailable(result) && again < REPEATS; again++) {
      await delay(REPEAT_INTERVAL_MS);
      result = await attempt();
    }
    return result;
  }

  /** What comes back until the connection ends. */
  const exchange = (port: number, bytes: Buffer) =>
    new Promise<string>((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`seed ${SEED}: no end after ${bytes.toString('latin1')}`)),
        DEADLINE_MS,
      );
      let received = '';
      const socket = connect(port, '127.0.0.1').setEncoding('utf8');
      socket.on('data', (text: string) => (received += text));
      socket.on('error', () => undefined);
      socket.once('close', () => {
        clearTimeout(late);
        resolve(received);
      });
      socket.end(bytes); // What is incomplete now stays so.
    });

  async function inParallel<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
    const queue = items.values();
    const worker = async () => {
      for (const item of queue) await work(item);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  it('each get an answer in the usual shape and never a fault', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
    const statuses = new Map<number, number>();
    const requests = fuzzRequests(authorization, REQUESTS, SEED);
    await inParallel(requests, async (fuzzed) => {
      const about = `seed ${SEED}: ${fuzzed.method} ${fuzzed.path.slice(0, 300)} ${fuzzed.body?.toString().slice(0, 300)}`;
      try {
        const answer = await untilAvailable(
          () => send(agent, fuzzed),
          (given) => given?.status === 503,
        );
        statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1);
        if (answer) assertProper(answer, fuzzed.method);
      } catch (error) {
        throw new Error(about, { cause: error });
      }
    });
    agent.destroy();
    // Most requests reach the services behind the gateway.
    const common = [...statuses].filter(([, count]) => count > REQUESTS / 60).map(([status]) => status);
    expect(common).toStrictEqual(expect.arrayContaining([200, 201, 400, 404]));
    expect(statuses.get(0) ?? 0).toBeLessThan(REQUESTS / 100);
  });

  it('that are not even HTTP are answered or cut, and the gateway goes on', async () => {
    const port = Number(new URL(gateway.process.url).port);
    await inParallel(fuzzBytes(authorization, RAW_REQUESTS, SEED), async (bytes) => {
      const answer = await untilAvailable(
        () => exchange(port, bytes),
        (received) => /^HTTP\/1\.1 503/m.test(received),
      );
      if (/^HTTP\/1\.1 5/m.test(answer)) throw new Error(`seed ${SEED}: ${bytes.toString('latin1')}: ${answer}`);
    });
    const list = await untilAvailable(
      () => gateway.process.fetch('/v1/files'),
      ({ status }) => status === 503,
    );
    expect(list.status).toBe(200);
  });
});
