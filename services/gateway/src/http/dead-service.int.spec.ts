// Real: gateway process, Postgres, NATS, Redis, object store. FAKES: the services (responders on the real bus, see
// test/fake-services.ts); one of them takes calls and answers nothing, as a process under SIGSTOP does.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { ServedGateway } from '../test/served-gateway.js';

const CALLS = 300;
const READS = 200;
/** The concurrent calls to one service that a gateway allows one tenant. */
const CALLS_OF_TENANT_MAX = 256;

describe('a service that takes calls and never answers', () => {
  let gateway: ServedGateway;
  beforeAll(async () => {
    gateway = await ServedGateway.start({
      KILN_RATE_LIMIT_RPS: '100000',
      KILN_RATE_LIMIT_BURST: '100000',
      KILN_LOG_LEVEL: 'warn',
    });
  });
  afterAll(() => gateway.stop());

  const search = () => gateway.process.post('/v1/search', { query: 'x' });

  async function refusal(request: Promise<Response>): Promise<number> {
    const response = await request;
    await response.arrayBuffer();
    expect(response.headers.get('retry-after')).toBeTruthy();
    return response.status;
  }

  /** The service answers again. */
  async function speak(): Promise<void> {
    gateway.fakes.unsilence('search');
    await eventually(async () => (await search()).status === 200);
  }

  /** As many calls as a tenant may have wait, the others are refused, and reads of another service are answered meanwhile. */
  async function flood(path: string): Promise<void> {
    const before = gateway.fakes.unanswered;
    let waiting = CALLS;
    const lost = Array.from({ length: CALLS }, () => refusal(search()).finally(() => waiting--));
    const isFull = () => gateway.fakes.unanswered - before === CALLS_OF_TENANT_MAX && waiting === CALLS_OF_TENANT_MAX;
    await eventually(() => isFull() || waiting < CALLS_OF_TENANT_MAX);
    const reads = new Set<number>();
    let answeredMeanwhile = 0;
    for (let read = 0; read < READS; read++) {
      reads.add((await gateway.process.fetch(path)).status);
      if (isFull()) answeredMeanwhile++;
    }
    const statuses = (await Promise.all(lost)).toSorted((a, b) => a - b);
    // A read that waits for one of the calls would be answered after it.
    expect(answeredMeanwhile).toBeGreaterThan(0);
    expect([...reads]).toStrictEqual([200]);
    const tooMany = Array<number>(CALLS - CALLS_OF_TENANT_MAX).fill(429);
    expect(statuses).toStrictEqual([...tooMany, ...Array<number>(CALLS_OF_TENANT_MAX).fill(503)]);
  }

  it('holds up no request to another, is not asked any more, and is back when it answers again', async () => {
    const created = await gateway.process.post('/v1/upload', { filename: 'a.txt', content_type: 'text/plain' });
    expect(created.status).toBe(201);
    const path = `/v1/files/${[...gateway.fakes.files.keys()][0]}`;

    // On a busy machine the first call of a flood may end before the last one or a read begins.
    await eventually(async () => {
      await gateway.fakes.silence('search');
      await flood(path).catch(async (error: unknown) => {
        await speak();
        throw error;
      });
    });

    await eventually(async () => /kiln_circuit_state\{service="search",.*\} 1/.test(await metrics()));
    const { unanswered } = gateway.fakes;
    const refused = await Promise.all(Array.from({ length: 50 }, () => refusal(search())));
    expect([...new Set(refused)]).toStrictEqual([503]);
    // The other calls were refused without being sent.
    expect(gateway.fakes.unanswered).toBe(unanswered);

    await speak();
    expect(await metrics()).toMatch(/kiln_circuit_state\{service="search",.*\} 0/);
  });

  const metrics = async () => (await fetch(`${gateway.process.healthUrl}/metrics`)).text();
});
