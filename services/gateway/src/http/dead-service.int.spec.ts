// Real: gateway process, Postgres, NATS, Redis, object store. FAKES: the services (responders on the real bus, see
// test/fake-services.ts); one of them takes calls and answers nothing, as a process under SIGSTOP does.
import { searchOperations } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FakeServices } from '../test/fake-services.js';
import { GatewayProcess, testSurroundings, type TestSurroundings } from '../test/gateway-process.js';

const CALLS = 300;
const READS = 200;
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

  async function refusal(request: Promise<Response>): Promise<number> {
    const response = await request;
    await response.arrayBuffer();
    assert.ok(response.headers.get('retry-after'));
    return response.status;
  }

  it('holds up no request to another, is not asked any more, and is back when it answers again', async () => {
    const created = await gateway.post('/v1/upload', { filename: 'a.txt', content_type: 'text/plain' });
    assert.equal(created.status, 201);
    const path = `/v1/files/${[...fakes.files.keys()][0]}`;

    await fakes.silence('search');
    let waiting = CALLS;
    const lost = Array.from({ length: CALLS }, () => refusal(search()).finally(() => waiting--));
    await eventually(() => fakes.unanswered === CALLS_OF_TENANT_MAX && waiting === CALLS_OF_TENANT_MAX);
    for (let read = 0; read < READS; read++) assert.equal((await gateway.fetch(path)).status, 200);
    assert.equal(waiting, CALLS_OF_TENANT_MAX, 'every read was answered before the first of the calls that waited');
    const statuses = (await Promise.all(lost)).toSorted((a, b) => a - b);
    const tooMany = Array<number>(CALLS - CALLS_OF_TENANT_MAX).fill(429);
    assert.deepEqual(statuses, [...tooMany, ...Array<number>(CALLS_OF_TENANT_MAX).fill(503)]);

    await eventually(async () => /kiln_circuit_state\{service="search",.*\} 1/.test(await metrics()));
    const refused = await Promise.all(Array.from({ length: 50 }, () => refusal(search())));
    assert.deepEqual([...new Set(refused)], [503]);
    assert.equal(fakes.unanswered, CALLS_OF_TENANT_MAX, 'those were refused without being sent');

    fakes.unsilence('search');
    await eventually(async () => (await search()).status === 200, {
      timeoutMs: searchOperations.search.timeoutMs + 5_000,
    });
    assert.match(await metrics(), /kiln_circuit_state\{service="search",.*\} 0/);
  });

  const metrics = async () => (await fetch(`${gateway.healthUrl}/metrics`)).text();
});
