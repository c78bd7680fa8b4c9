// The analytics service at ten million events of history: each endpoint over the bus, one call at a time; ingestion against bare inserts; and
// what it adds to the CPU time of a small file. `npm run bench:analytics [history] [ingestion] [cpu] [number of events]`
import { analyticsOperations, type Operation } from '@kiln/contracts';
import { connectBus, createLogger, Database, RpcClient } from '@kiln/platform';
import { createTestDatabase, startTestService, testNats } from '@kiln/testing';
import { loadavg } from 'node:os';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { analyticsCpu, announcingCpu } from './added-cpu.js';
import { addHistory, smallTenants } from './history.js';
import { copyFacts, measureIngestion } from './ingestion.js';

const EVENTS = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 10_000_000);
const CALLS = 300;
const WARM_UP_CALLS = 30;

const chosen = process.argv.slice(2).filter((argument) => !/^\d+$/.test(argument));
const isChosen = (name: string) => chosen.length === 0 || chosen.includes(name);
const load = () => `load average ${loadavg()[0]?.toFixed(1)}`;

const calls: [title: string, operation: Operation, input: object][] = [
  ['overview', analyticsOperations.getOverview, {}],
  ['file-types', analyticsOperations.getFileTypes, {}],
  ['spaces', analyticsOperations.getSpaceHealth, {}],
  ...[30, 365].flatMap((days): [string, Operation, object][] => [
    [`processing, ${days} days`, analyticsOperations.getProcessing, { days }],
    [`providers, ${days} days`, analyticsOperations.getProviders, { days }],
    [`volume, ${days} days`, analyticsOperations.getVolume, { days }],
    [`trends, ${days} days`, analyticsOperations.getTrends, { days }],
    [`storage-growth, ${days} days`, analyticsOperations.getStorageGrowth, { days }],
  ]),
  ['failures, 20', analyticsOperations.listFailures, { limit: 20 }],
  ['failures, 200', analyticsOperations.listFailures, { limit: 200 }],
  ['top-failures', analyticsOperations.listTopFailures, { limit: 10 }],
];

async function measureEndpoints(rpc: RpcClient, tenantId: string): Promise<void> {
  console.log(`ms per call, over the bus, ${CALLS} calls each; ${load()}`);
  for (const [title, operation, input] of calls) {
    const times: number[] = [];
    for (let call = -WARM_UP_CALLS; call < CALLS; call++) {
      const deadlineAt = Date.now() + 10_000;
      const context = { requestId: 'bench', tenantId, mode: 'live' as const, principal: 'bench', deadlineAt };
      const startedAt = performance.now();
      await rpc.call(operation, input, context);
      if (call >= 0) times.push(performance.now() - startedAt);
    }
    const sorted = times.toSorted((a, b) => a - b);
    const [p50, p99] = [0.5, 0.99].map((share) => (sorted[Math.ceil(share * CALLS) - 1] ?? Number.NaN).toFixed(1));
    console.log(`${title.padEnd(28)} p50 ${p50?.padStart(6)}  p99 ${p99?.padStart(6)}`);
  }
}

async function measureService(): Promise<void> {
  const created = await createTestDatabase();
  const service = await startTestService({ name: 'analytics', databaseUrl: created.url });
  const client = new pg.Client({ connectionString: created.url, options: '-c search_path=analytics,public' });
  await client.connect();
  const database = await Database.open(
    { url: created.url, schema: 'analytics', byIndex: true, connectionsMax: 4, statementTimeoutMs: 600_000 },
    () => undefined,
  );
  const tenantId = uuidv7();
  const startedAt = performance.now();
  const rebuildSeconds = await addHistory(client, database, tenantId, EVENTS);
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(
    `${EVENTS.toLocaleString('en')} events in ${seconds.toFixed(0)} s; rebuild of 60 % of them in ${rebuildSeconds.toFixed(0)} s`,
  );
  if (isChosen('history')) {
    const logger = createLogger({ service: 'bench', role: 'all', level: 'error' });
    const connection = await connectBus({ url: await testNats(), name: 'bench', logger });
    await measureEndpoints(new RpcClient(connection, service.namespace), tenantId);
    await connection.close();
  }
  if (isChosen('ingestion')) {
    await copyFacts(client);
    for (const [title, of] of [
      ['of one tenant', [tenantId]],
      ['of 100 tenants', smallTenants(100)],
    ] as const) {
      const { factsPerSecond, barePerSecond, ratio, cpuRatio, statesPerSecond } = await measureIngestion(database, of);
      console.log(
        `facts ${title}: ${factsPerSecond.toFixed(0)}/s, bare inserts ${barePerSecond.toFixed(0)}/s, ratio ${ratio.toFixed(2)}, of CPU ${cpuRatio.toFixed(2)}; ` +
          `new states ${statesPerSecond.toFixed(0)}/s; ${load()}`,
      );
    }
  }
  await database.close();
  await client.end();
  await service.stop();
  await created.drop();
}

async function measureCpu(): Promise<void> {
  const announcing = await announcingCpu();
  const { milliseconds, filesPerSecond, wholeMilliseconds } = await analyticsCpu();
  console.log(
    `CPU ms a small file: announcing ${announcing.toFixed(2)}, analytics ${milliseconds.toFixed(2)}, of ${wholeMilliseconds.toFixed(1)} ` +
      `in all; at ${filesPerSecond.toFixed(0)} files/s; ${load()}`,
  );
}

if (isChosen('history') || isChosen('ingestion')) await measureService();
if (isChosen('cpu')) await measureCpu();
process.exit();
