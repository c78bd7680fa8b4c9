// The cost of indexing small files, in calls of 1 file and of 16: CPU time of the process and of Postgres per file, merges included, and
// the number of changed rows. A file has a title and three chunks of 100 words, by Zipf's law. The process does the same work as the
// service, without the bus: it parses and validates the text, writes it, and merges.
// `npm run bench:indexing [files [files per call …]]`
import { parseInput, searchOperations } from '@kiln/contracts';
import { createLogger } from '@kiln/platform';
import { IndexFiles } from '@kiln/search/indexing/index-files.usecase';
import { MergeRequests, UNMERGED_UNSEARCHED_MAX } from '@kiln/search/merging/merge-requests.service';
import { MergeStore } from '@kiln/search/merging/merge.store';
import { MergeWorker } from '@kiln/search/merging/merge.worker';
import { PurgeStore } from '@kiln/search/merging/purge.store';
import { PostingsMemory } from '@kiln/search/text-index/postings-memory.domain';
import { VectorCopyRequests } from '@kiln/search/vectors/copies/vector-copy-requests.service';
import { TextIndex } from '@kiln/search/text-index/text-index.service';
import { loadavg } from 'node:os';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { cpuSeconds } from '../process-tree.js';
import { CHUNKS, fileOf } from './files-to-index.js';
import { randomNumbers } from './generated-files.js';
import { openDatabase } from './open-database.js';

const FILES = 2_000;
const WARM_UP_FILES = 320;
const AT_ONCE = 4;

/** The input of a call, as it arrives over the bus. */
function* calls(files: number, perCall: number, seed: number): Generator<string> {
  const random = randomNumbers(seed);
  for (let number = 0; number < files; number += perCall) {
    yield JSON.stringify({ files: Array.from({ length: perCall }, (_, at) => fileOf(random, number + at)) });
  }
}

const { client, database, close } = await openDatabase();
const logger = createLogger({ service: 'search', role: 'all', level: 'error' });
const mergeRequests = new MergeRequests();
const mergeWorker = new MergeWorker(new MergeStore(database), new PurgeStore(database), mergeRequests, logger, {
  stepped: () => undefined,
});
mergeWorker.start();
// All chunks are in the call, so no object is read.
const textIndex = new TextIndex(
  database,
  mergeRequests,
  new PostingsMemory(100_663_296),
  new VectorCopyRequests(),
  null,
);
const indexFiles = new IndexFiles(textIndex, {} as ConstructorParameters<typeof IndexFiles>[1], logger);

async function index(tenantId: string, payloads: readonly string[]): Promise<void> {
  const left = payloads.values();
  const work = async () => {
    for (const payload of left) {
      const input = parseInput(searchOperations.indexFiles.input, JSON.parse(payload));
      const deadlineAt = Date.now() + 60_000;
      const { files } = await indexFiles.execute(input, {
        requestId: 'bench',
        tenantId,
        mode: 'live',
        principal: 'bench',
        deadlineAt,
      });
      if (files.some(({ chunks }) => chunks !== CHUNKS)) throw new Error('a file was not indexed');
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function postgres(admin: pg.Client): Promise<{ seconds: number; rows: number; commits: number }> {
  const { rows: backends } = await admin.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  const { rows } = await admin.query<{ rows: string; commits: string }>(
    `select (select sum(n_tup_ins + n_tup_upd + n_tup_del) from pg_stat_user_tables where schemaname = 'search') as rows,
            (select xact_commit from pg_stat_database where datname = current_database()) as commits`,
  );
  const seconds = cpuSeconds(backends.map(({ pid }) => pid));
  return { seconds, rows: Number(rows[0]?.rows), commits: Number(rows[0]?.commits) };
}

/** Merges until less than one merge is left. While the loop of `mergeWorker` merges, a call returns at once. */
async function merged(tenantId: string): Promise<void> {
  const left = 'select coalesce(sum(chunks + titles), 0) as left from search.tail_parts where tenant_id = $1';
  for (;;) {
    while (await mergeWorker.maintain(tenantId, UNMERGED_UNSEARCHED_MAX));
    const { rows } = await client.query<{ left: string }>(left, [tenantId]);
    if (Number(rows[0]?.left) < UNMERGED_UNSEARCHED_MAX) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Postgres backends report their changes after a second without work. */
const reported = () => new Promise((resolve) => setTimeout(resolve, 2_500));

async function measure(files: number, perCall: number): Promise<void> {
  const tenantId = uuidv7();
  await index(tenantId, [...calls(WARM_UP_FILES, perCall, 1)]);
  await merged(tenantId);
  const payloads = [...calls(files, perCall, 2)];
  await reported();
  const before = await postgres(client);
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await index(tenantId, payloads);
  await merged(tenantId);
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - startedAt) / 1_000;
  await reported();
  const after = await postgres(client);
  const node = (user + system) / 1_000 / files;
  const server = ((after.seconds - before.seconds) * 1_000) / files;
  console.log(
    `calls of ${String(perCall).padStart(2)}: CPU ${(node + server).toFixed(2)} ms a file, process ${node.toFixed(2)}, ` +
      `Postgres ${server.toFixed(2)}; rows changed ${((after.rows - before.rows) / files).toFixed(1)}, ` +
      `commits ${((after.commits - before.commits) / files).toFixed(2)}; ${(files / seconds).toFixed(0)} files/s`,
  );
}

const files = Number(process.argv[2] ?? FILES);
console.log(`load average ${loadavg()[0]?.toFixed(1)}; ${files} files`);
const sizes = process.argv.slice(3).map(Number);
for (const perCall of sizes.length > 0 ? sizes : [1, 16, 1, 16]) await measure(files, perCall);
console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
await mergeWorker.stop();
await close();
process.exit();
