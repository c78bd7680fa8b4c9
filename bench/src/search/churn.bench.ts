// What a day of changes costs the text index: files are added, then each hour some of them are replaced while searches keep the tail short.
// Prints the WAL, full pages included, for each byte of text, and the size and the free space of the tables. A checkpoint and a vacuum follow
// each hour. `npm run bench:churn [files]`
import { parseInput, searchOperations, type FileToIndex } from '@kiln/contracts';
import { createLogger } from '@kiln/platform';
import { IndexFiles } from '@kiln/search/indexing/index-files.usecase';
import { MergeRequests, UNMERGED_MAX, UNMERGED_UNSEARCHED_MAX } from '@kiln/search/merging/merge-requests.service';
import { MergeStore } from '@kiln/search/merging/merge.store';
import { MergeWorker } from '@kiln/search/merging/merge.worker';
import { PurgeStore } from '@kiln/search/merging/purge.store';
import { PostingsMemory } from '@kiln/search/text-index/postings-memory.domain';
import { TextIndex } from '@kiln/search/text-index/text-index.service';
import { VectorCopyRequests } from '@kiln/search/vectors/copies/vector-copy-requests.service';
import { v7 as uuidv7 } from 'uuid';
import { fileOf } from './files-to-index.js';
import { randomNumbers } from './generated-files.js';
import { openDatabase } from './open-database.js';

const FILES_PER_CALL = 16;
const HOURS = 24;
/** Each hour replaces one file in this many. */
const REPLACED_ONE_IN = 25;

const files = Number(process.argv[2] ?? 10_000);
const { client, database, close } = await openDatabase();
const logger = createLogger({ service: 'search', role: 'all', level: 'error' });
const requests = new MergeRequests();
const merges = new MergeWorker(new MergeStore(database), new PurgeStore(database), requests, logger, {
  stepped: () => undefined,
});
const textIndex = new TextIndex(database, requests, new PostingsMemory(100_663_296), new VectorCopyRequests(), null);
// All chunks are in the call, so no object is read.
const indexFiles = new IndexFiles(textIndex, {} as ConstructorParameters<typeof IndexFiles>[1], logger);

const number = async (sql: string, values: unknown[] = []) =>
  Number((await client.query<{ value: string }>(sql, values)).rows[0]?.value);
const walBytes = () => number(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as value`);
const tableBytes = () =>
  number(
    `select sum(pg_total_relation_size(oid)) as value from pg_class where relkind = 'r' and relnamespace = 'search'::regnamespace`,
  );
const bytesOf = (file: FileToIndex) => file.chunks?.reduce((sum, { text }) => sum + text.length, 0) ?? 0;

/** Indexes the files, and merges whenever the tail has the threshold. Returns the bytes of their texts. */
async function index(tenantId: string, added: readonly FileToIndex[], jobNumber: number, threshold: number) {
  for (let at = 0; at < added.length; at += FILES_PER_CALL) {
    const call = added.slice(at, at + FILES_PER_CALL).map((file) => ({ ...file, job_number: jobNumber }));
    const input = parseInput(searchOperations.indexFiles.input, { files: call });
    const context = { requestId: 'bench', tenantId, mode: 'live', principal: 'bench', deadlineAt: Date.now() + 60_000 };
    await indexFiles.execute(input, context as Parameters<IndexFiles['execute']>[1]);
    while (await merges.maintain(tenantId, threshold));
  }
  return added.reduce((sum, file) => sum + bytesOf(file), 0);
}

async function endHour(): Promise<void> {
  await client.query('checkpoint');
  await client.query('vacuum analyze');
}

async function measured(name: string, work: () => Promise<number>): Promise<void> {
  const before = await walBytes();
  const textBytes = await work();
  const wal = (await walBytes()) - before;
  console.log(
    `${name}: ${(textBytes / 2 ** 20).toFixed(1)} MiB of text, ${(wal / 2 ** 20).toFixed(0)} MiB of WAL, ${(wal / textBytes).toFixed(1)} ×`,
  );
}

const random = randomNumbers(1);
const ids = Array.from({ length: files }, () => uuidv7());
const current = ids.map((id, at) => fileOf(random, at, id));
const tenantId = uuidv7();
await measured('added', () => index(tenantId, current, 1, UNMERGED_UNSEARCHED_MAX));
await endHour();
const added = await tableBytes();
await measured('a day of changes', async () => {
  let textBytes = 0;
  for (let hour = 1; hour <= HOURS; hour++) {
    const replaced = Array.from({ length: Math.ceil(files / REPLACED_ONE_IN) }, () => Math.floor(random() * files));
    const chosen = [...new Set(replaced)];
    for (const at of chosen) current[at] = fileOf(random, at, ids[at]);
    const changed = chosen.flatMap((at) => current.slice(at, at + 1));
    textBytes += await index(tenantId, changed, hour + 1, UNMERGED_MAX);
    await endHour();
  }
  return textBytes;
});
const changed = await tableBytes();
await client.query('vacuum full');
const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
console.log(
  `tables: ${mib(added)} when added, ${mib(changed)} after the day, of which ${mib(changed - (await tableBytes()))} are free space`,
);
await close();
process.exit();
