// A sync of a bucket with 200,000 objects into an empty connection, a second one that finds nothing changed, and a bare insert of the same
// rows, alternating. The pages come from memory. CPU is that of this process and of all processes of Postgres.
// Goals: the first sync at least 0.7 of the objects per second of the insert, the second at least twice the first. `npm run bench:sync [OBJECTS] [ROUNDS]`
import type { BucketAccess } from '@kiln/connections/connections/bucket-access.service';
import { FIXED_LIMITS } from '@kiln/connections/syncs/domain/sync-limits';
import { startSyncs, type SyncsHarness } from '@kiln/connections/test/syncs-harness';
import { loadavg } from 'node:os';
import { v7 as uuidv7 } from 'uuid';
import { median } from '../median.js';
import { cpuSeconds } from '../process-tree.js';
import { createBareTable, insertAll } from './bare-inserts.js';
import { generatedBucket } from './generated-bucket.js';

const OBJECTS = Number(process.argv[2] ?? 200_000);
const ROUNDS = Number(process.argv[3] ?? 3);
const NODES_MAX = 10_000_000;

interface Measured {
  perSecond: number;
  /** Microseconds of an object. */
  nodeCpu: number;
  postgresCpu: number;
}

/** CPU seconds of the processes of Postgres, by pid, since some of them may end. */
async function postgresCpu({ sql }: SyncsHarness): Promise<Map<number, number>> {
  const rows = await sql<{ pid: number }>('select pid from pg_stat_activity');
  return new Map(rows.map(({ pid }) => [pid, cpuSeconds([pid])]));
}

async function measure(kiln: SyncsHarness, work: () => Promise<void>): Promise<Measured> {
  const [before, ownBefore, startedAt] = [await postgresCpu(kiln), process.cpuUsage(), performance.now()];
  await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(ownBefore);
  const postgresSeconds = [...(await postgresCpu(kiln))].reduce(
    (sum, [pid, cpu]) => sum + cpu - (before.get(pid) ?? 0),
    0,
  );
  return {
    perSecond: OBJECTS / seconds,
    nodeCpu: (user + system) / OBJECTS,
    postgresCpu: (postgresSeconds * 1e6) / OBJECTS,
  };
}

async function sync(kiln: SyncsHarness, tenantId: string, connectionId: string): Promise<void> {
  const { id } = await kiln.begin(tenantId, connectionId);
  let outcome = 'yielded';
  while (outcome === 'yielded')
    outcome = await kiln.runSync.execute(await kiln.claimOne(), new AbortController().signal);
  const row = await kiln.syncs.find(tenantId, id);
  if (outcome !== 'completed' || row?.synced_count !== OBJECTS) throw new Error(`the sync has ended: ${outcome}`);
}

async function newConnection({ sql }: SyncsHarness, tenantId: string): Promise<string> {
  const id = uuidv7();
  await sql(`insert into connections (tenant_id, id, provider, name, bucket) values ($1, $2, 's3', 'a', 'a')`, [
    tenantId,
    id,
  ]);
  return id;
}

/** Lists the generated bucket, and samples the memory of this process at each page. */
function useGeneratedBucket(kiln: SyncsHarness): number[] {
  const rssBytes: number[] = [];
  const bucket = generatedBucket(OBJECTS, () => rssBytes.push(process.memoryUsage.rss()));
  const use: BucketAccess['use'] = async (tenantId, connectionId, work) => {
    const connection = await kiln.connections.find(tenantId, connectionId);
    return connection && work({ bucket: bucket as never, connection });
  };
  kiln.access.use = use;
  return rssBytes;
}

const show = ({ perSecond, nodeCpu, postgresCpu }: Measured) =>
  `${perSecond.toFixed(0)} objects/s, CPU of an object ${nodeCpu.toFixed(0)} + ${postgresCpu.toFixed(0)} µs (Node, Postgres)`;

async function measureRound(kiln: SyncsHarness) {
  const tenantId = uuidv7();
  const connectionId = await newConnection(kiln, tenantId);
  const bare = await measure(kiln, () => insertAll(kiln.database, tenantId, OBJECTS));
  const first = await measure(kiln, () => sync(kiln, tenantId, connectionId));
  const unchanged = await measure(kiln, () => sync(kiln, tenantId, connectionId));
  for (const table of ['nodes', 'bare_nodes']) await kiln.sql(`truncate ${table}`);
  return { bare, first, unchanged };
}

/** The highest memory of each tenth of the pages. */
function peaks(rssBytes: readonly number[]): string {
  const size = Math.ceil(rssBytes.length / 10);
  const tenths = Array.from({ length: 10 }, (_, tenth) => rssBytes.slice(tenth * size, (tenth + 1) * size));
  return tenths.map((samples) => (Math.max(...samples) / 1_048_576).toFixed(0)).join(', ');
}

async function main(): Promise<void> {
  const kiln = await startSyncs();
  Object.assign(kiln.limits, FIXED_LIMITS, { nodes: NODES_MAX });
  const rssBytes = useGeneratedBucket(kiln);
  await createBareTable(kiln.database);
  const rounds: Awaited<ReturnType<typeof measureRound>>[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const measured = await measureRound(kiln);
    rounds.push(measured);
    for (const [name, each] of Object.entries(measured)) console.log(`round ${round}: ${name}: ${show(each)}`);
  }
  type Name = keyof (typeof rounds)[number];
  const ratio = (of: Name, to: Name) =>
    median(rounds.map((round) => round[of].perSecond / round[to].perSecond)).toFixed(2);
  const cpu = (of: Name) => median(rounds.map((round) => round[of].nodeCpu + round[of].postgresCpu)).toFixed(0);
  console.log(`${OBJECTS} objects, medians of ${ROUNDS} rounds, load average ${loadavg()[0]?.toFixed(1)}:`);
  console.log(
    `first sync to the bare insert ${ratio('first', 'bare')}, unchanged to first ${ratio('unchanged', 'first')}`,
  );
  console.log(`CPU of an object: bare ${cpu('bare')}, first ${cpu('first')}, unchanged ${cpu('unchanged')} µs`);
  console.log(`RSS in MiB, by tenths of the run: ${peaks(rssBytes)}`);
  await kiln.close();
}

await main();
process.exit(0);
