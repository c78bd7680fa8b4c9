// Pages of 50 from the files of one tenant, a million by default: every sort order, with selective and unselective filters, over the bus
// from real processes of files and search. One call at a time; first pages and second pages by cursor. The CPU time of these processes and
// their Postgres backends gives the cost of a page even on a busy machine.
// `npm run bench:files-list [files] [part of the name of filters]`
import { filesOperations, type OperationInput } from '@kiln/contracts';
import { connectBus, createLogger, RpcClient } from '@kiln/platform';
import { createTestDatabase, startTestService, testNamespace, testNats, testStorage } from '@kiln/testing';
import { loadavg } from 'node:os';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { median } from '../median.js';
import { cpuSeconds } from '../process-tree.js';
import { indexFiles, wordOf } from './indexed-words.js';
import { addFiles } from './million-files.js';

/** Milliseconds per page in one sort order. */
interface Times {
  order: string;
  times: number[];
}

type Query = Partial<OperationInput<typeof filesOperations.listFiles>>;

const FILES = Number(process.argv[2] ?? 1_000_000);
const CHOSEN = process.argv[3] ?? '';
const ROUNDS = 15;
const WARM_UP_ROUNDS = 6;

const sorts = ['created_at', 'updated_at', 'filename', 'size_bytes'] as const;
const orders = ['asc', 'desc'] as const;

const filters: [title: string, query: Query][] = [
  ['no filter', {}],
  ['space of 60 %', { space: 'main' }],
  ['space of 0.3 %', { space: 'team-7' }],
  ['space of 10 files', { space: 'customer-9' }],
  ['status of 99.9 %', { status: 'completed' }],
  ['status of 0.1 %', { status: 'failed' }],
  ['status of none', { status: 'uploading' }],
  ['space and rare status', { space: 'main', status: 'failed' }],
  ['metadata of 5 %', { metadata: { department: '7' } }],
  ['metadata of 20 files', { metadata: { customer: '77' } }],
  ['metadata of none', { metadata: { customer: 'x' } }],
  ['space, status, metadata', { space: 'main', status: 'completed', metadata: { department: '3' } }],
  ['search: one name', { search: '-123456.' }],
  ['search: 20 % of names', { search: 'INVOICE' }],
  ['search: 20 % and space', { search: 'INVOICE', space: 'main' }],
  ['search: 20 % and status', { search: 'INVOICE', status: 'failed' }],
  ['search: 20 %, metadata', { search: 'INVOICE', metadata: { department: '6' } }],
  ['search: 20 %, metadata of 20', { search: 'INVOICE', metadata: { customer: '77' } }],
  ['search: no name', { search: 'no such name' }],
  ['search: two characters', { search: 'xy' }],
  ['search: word of 100 %', { search: wordOf(1, 0) }],
  ['search: word of 10 %', { search: wordOf(10, 3) }],
  ['search: word of 1 %', { search: wordOf(100, 42) }],
  ['search: word of 0.1 %', { search: wordOf(1_000, 420) }],
  ['search: word of 2 in 100,000', { search: wordOf(49_999, 4_711) }],
  ['search: two words of 10 %', { search: `${wordOf(10, 3)} ${wordOf(100, 13)}` }],
  ['search and space', { search: wordOf(49_999, 4_711), space: 'main' }],
];

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

async function startServices() {
  const database = await createTestDatabase();
  const storage = await testStorage();
  const environment = {
    KILN_STORAGE_ENDPOINT: storage.endpoint,
    KILN_STORAGE_BUCKET: storage.bucket,
    KILN_STORAGE_REGION: storage.region,
    KILN_STORAGE_ACCESS_KEY_ID: storage.accessKeyId,
    KILN_STORAGE_SECRET_ACCESS_KEY: storage.secretAccessKey,
    KILN_STORAGE_FORCE_PATH_STYLE: 'true',
  };
  const common = { databaseUrl: database.url, namespace: testNamespace(), environment };
  const files = await startTestService({ name: 'files', ...common });
  const search = await startTestService({ name: 'search', ...common });
  return { database, services: [files, search], namespace: common.namespace };
}

async function main(): Promise<void> {
  const { database, services, namespace } = await startServices();
  const client = new pg.Client({ connectionString: database.url, options: '-c search_path=files,public' });
  await client.connect();
  const tenantId = uuidv7();
  const startedAt = performance.now();
  await addFiles(client, tenantId, FILES);
  await indexFiles(client, tenantId);
  console.log(`${FILES.toLocaleString('en')} files in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);

  const logger = createLogger({ service: 'bench', role: 'all', level: 'error' });
  const connection = await connectBus({ url: await testNats(), name: 'bench', logger });
  const rpc = new RpcClient(connection, namespace);
  const list = (query: Query) => {
    const deadlineAt = Date.now() + 10_000;
    const context = { requestId: 'bench', tenantId, mode: 'live' as const, principal: 'bench', deadlineAt };
    return rpc.call(filesOperations.listFiles, { limit: 50, ...query }, context);
  };
  /** CPU seconds of the services and their Postgres backends. */
  const cpu = async () => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name in ('kiln-files', 'kiln-search')`,
    );
    return cpuSeconds([...services.map((service) => service.process.pid ?? 0), ...rows.map(({ pid }) => pid)]);
  };
  const measure = async (query: Query): Promise<number[]> => {
    const times: number[] = [];
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      const from = performance.now();
      await list(query);
      if (round >= 0) times.push(performance.now() - from);
    }
    return times;
  };

  console.log(`load average ${loadavg()[0]?.toFixed(1)}; ms per page of 50, over every order both ways`);
  const all: Times[] = [];
  for (const [title, filter] of filters.filter(([name]) => name.includes(CHOSEN))) {
    const orderTimes: Times[] = [];
    const cpuBefore = await cpu();
    for (const sort_by of sorts) {
      for (const sort_order of orders) {
        const query = { ...filter, sort_by, sort_order };
        const order = `${sort_by} ${sort_order}`;
        try {
          const { next_cursor: cursor } = await list({ ...query, limit: 200 });
          orderTimes.push({ order, times: await measure(query) });
          if (cursor) orderTimes.push({ order: `${order}, next`, times: await measure({ ...query, cursor }) });
        } catch (error) {
          console.log(`${title}, ${order}: ${String(error)}`);
          process.exitCode = 1;
        }
      }
    }
    all.push(...orderTimes);
    print(title, orderTimes, (await cpu()) - cpuBefore);
  }
  print('all', all, Number.NaN);
  await connection.close();
  await client.end();
  await Promise.all(services.map((service) => service.stop()));
  await database.drop();
}

function print(title: string, orderTimes: Times[], cpuSeconds: number): void {
  const sorted = orderTimes.flatMap(({ times }) => times).toSorted((a, b) => a - b);
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => quantile(sorted, share).toFixed(1).padStart(8));
  const asked = orderTimes.length * (ROUNDS + WARM_UP_ROUNDS);
  const cpu = ((cpuSeconds / asked) * 1_000).toFixed(1).padStart(6);
  const medians = orderTimes.map(({ order, times }) => ({ order, middle: median(times) }));
  const slowest = medians.toSorted((a, b) => b.middle - a.middle)[0];
  console.log(
    `${title.padEnd(30)} p50 ${p50}  p99 ${p99}  max ${max}  cpu ${cpu}  (${sorted.length} pages; ` +
      `slowest ${slowest?.order}: ${slowest?.middle.toFixed(1)})`,
  );
}

await main();
process.exit();
