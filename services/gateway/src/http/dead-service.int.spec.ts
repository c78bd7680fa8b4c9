// Real: gateway process, Postgres, NATS, Redis, object store. FAKES: the services (responders on the real bus, see
// test/fake-services.ts); one of them takes calls and answers nothing, as a process under SIGSTOP does.
import { searchOperations } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FakeServices } from '../test/fake-services.js';
import { GatewayProcess, testSurroundings, type TestSurroundings } from '../test/gateway-process.js';

/** Who waited for the dead service would wait for longer; a busy machine takes less. */
const NOTICED_MS = 1_000;
const REQUESTS = 800;
const CONNECTIONS = 8;
/** As many calls to one service as a gateway lets one tenant have under way. */
const CALLS_OF_TENANT_MAX = 256;

describe('a service that takes calls and never answers', () => {
  let surroundings: TestSurroundings;
  let fakes: FakeServices;
  let gateway: GatewayProcess;
  before(async () => {
    surroundings = await testSurroundings();
    fakes = new FakeServices(surroundings.infrastructure.natsUrl, surroundings.namespace);
    await fakes.start();
    gateway = await GatewayProcess.start(surroundings, {
      KILN_RATE_LIMIT_RPS: '100000',
      KILN_RATE_LIMIT_BURST: '100000',
      KILN_LOG_LEVEL: 'warn',
    });
  });
  after(async () => {
    await gateway.stop();
    await fakes.stop();
    surroundings.store.close();
    await surroundings.database.drop();
  });

  const search = () => gateway.post('/v1/search', { query: 'x' });

  async function timedStatus(
    work: () => Promise<Response>,
  ): Promise<{ status: number; ms: number; response: Response }> {
    const startedAt = performance.now();
    const response = await work();
    await response.clone().arrayBuffer();
    return { status: response.status, ms: performance.now() - startedAt, response };
  }

  /** 99th percentile in milliseconds of so many reads, some at a time; every one must succeed. */
  async function readFilesP99(): Promise<number> {
    const times: number[] = [];
    const path = `/v1/files/${[...fakes.files.keys()][0]}`;
    const reader = async () => {
      for (let call = 0; call < REQUESTS / CONNECTIONS; call++) {
        const { status, ms } = await timedStatus(() => gateway.fetch(path));
        assert.equal(status, 200);
        times.push(ms);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, reader));
    return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Infinity;
  }

  it('leaves the others as fast as without it, is refused at once, and is back when it answers again', async () => {
    const created = await gateway.post('/v1/upload', { filename: 'a.txt', content_type: 'text/plain' });
    assert.equal(created.status, 201);
    await readFilesP99(); // Warm, so that both measurements are of the same code.
    const alone = await readFilesP99();

    await fakes.silence('search');
    const lost = Array.from({ length: 300 }, () => timedStatus(search));
    await eventually(() => fakes.unanswered >= CALLS_OF_TENANT_MAX);
    const beside = await readFilesP99();
    assert.ok(
      beside <= Math.max(2 * alone, NOTICED_MS),
      `p99 ${beside.toFixed(1)} ms beside a dead service, ${alone.toFixed(1)} ms alone`,
    );

    const answers = await Promise.all(lost);
    assert.equal(answers.filter(({ status }) => status === 503).length, CALLS_OF_TENANT_MAX);
    for (const { status, ms, response } of answers) {
      assert.ok([429, 503].includes(status), String(status));
      assert.ok(response.headers.get('retry-after'));
      assert.ok(ms < searchOperations.search.timeoutMs + 2_000, `${ms} ms`);
    }
    await eventually(async () => /kiln_circuit_state\{service="search",.*\} 1/.test(await metrics()));
    const refused = await timedStatus(search);
    assert.equal(refused.status, 503);
    assert.ok(refused.ms < 500, `${refused.ms} ms to be refused`);

    fakes.unsilence('search');
    await eventually(async () => (await search()).status === 200, {
      timeoutMs: searchOperations.search.timeoutMs + 5_000,
    });
    assert.match(await metrics(), /kiln_circuit_state\{service="search",.*\} 0/);
  });

  const metrics = async () => (await fetch(`${gateway.healthUrl}/metrics`)).text();
});
