// Searches in one tenant of 10,000, 100,000 and 1,000,000 passages, and in 1,000 tenants of 100, by posting blocks and by the
// `tsvector` statement they have replaced: 3, 10 and 20 words, with and without a filter that one file in a hundred passes.
// `npm run bench:search [passages …]`
import { facetsOfFilter } from '@kiln/search/postings/domain/facet';
import { PostingsMemory } from '@kiln/search/text-index/postings-memory.domain';
import { RankStore } from '@kiln/search/text-index/rank.store';
import { loadavg } from 'node:os';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { addFileRows, addTail, BlockLoader } from './block-index.js';
import { generateFiles, PASSAGES_PER_FILE, randomNumbers, randomTerm, RARE_SPACE } from './generated-files.js';
import { measure, type Measured } from './measure.js';
import { openDatabase, type BenchDatabase } from './open-database.js';
import { createVectorTables, indexVectors, VectorLoader } from './vector-index.js';
import { searchVectors } from './vector-search.js';

const LIMIT = 20;
const WORDS = [3, 10, 20];
const SMALL_TENANTS = 1_000;
const SMALL_TENANT_PASSAGES = 100;

/** Runs both kinds of search in these tenants, alternating. */
async function compare(
  { client, database, formerDatabase }: BenchDatabase,
  tenants: readonly string[],
  title: string,
): Promise<void> {
  const store = new RankStore(database, new PostingsMemory(100_663_296));
  for (const space of [undefined, RARE_SPACE]) {
    for (const words of WORDS) {
      const queries = (seed: number) => {
        const random = randomNumbers(seed);
        return Array.from({ length: words }, () => randomTerm(random));
      };
      const tenantOf = (query: number) => tenants[(query * 7) % tenants.length] ?? '';
      const facets = facetsOfFilter({ space });
      const blocks = await measure(client, (query) => {
        return store.rank(tenantOf(query), [...new Set(queries(query))].join(' '), facets, { limit: LIMIT });
      });
      const vectors = await measure(client, (query) =>
        searchVectors(formerDatabase, tenantOf(query), queries(query), space, LIMIT),
      );
      print(`${title}, ${words} words${space === undefined ? '' : ', filter 1 %'}`, blocks, vectors);
    }
  }
}

function print(title: string, blocks: Measured, vectors: Measured): void {
  const ms = (value: number) => value.toFixed(1).padStart(7);
  const cells = ({ p50, p99, nodeCpu, postgresCpu }: Measured) =>
    `p50 ${ms(p50)} p99 ${ms(p99)} cpu node ${ms(nodeCpu)} postgres ${ms(postgresCpu)}`;
  console.log(
    `${title.padEnd(42)} blocks ${cells(blocks)} | vectors ${cells(vectors)} | ${(vectors.p50 / blocks.p50).toFixed(1)} ×`,
  );
}

async function oneTenant(passages: number): Promise<void> {
  const opened = await openDatabase();
  const { client, close } = opened;
  await createVectorTables(client);
  const tenantId = uuidv7();
  const startedAt = performance.now();
  const ids = Array.from({ length: passages / PASSAGES_PER_FILE }, () => uuidv7());
  const blockLoader = new BlockLoader(client, tenantId);
  const vectorLoader = new VectorLoader(client, tenantId);
  let position = 0;
  for (const file of generateFiles(passages, 1)) {
    await blockLoader.add(file);
    await vectorLoader.add(ids[position++] ?? '', file);
  }
  await blockLoader.finish();
  await vectorLoader.finish();
  await addFileRows(client, tenantId, ids, true);
  await addRecentFiles(client, tenantId);
  await indexVectors(client);
  await refreshStatistics(opened);
  console.log(`${passages.toLocaleString('en')} passages in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  await compare(opened, [tenantId], passages.toLocaleString('en'));
  await close();
}

/** A tail of typical length: half of a merge. */
async function addRecentFiles(client: pg.Client, tenantId: string): Promise<void> {
  const files = [...generateFiles(128, 2)];
  const ids = files.map(() => uuidv7());
  await addTail(client, tenantId, ids, files);
  await addFileRows(client, tenantId, ids, false);
}

async function manyTenants(): Promise<void> {
  const opened = await openDatabase();
  const { client, close } = opened;
  await createVectorTables(client);
  const tenants = Array.from({ length: SMALL_TENANTS }, () => uuidv7());
  for (const [seed, tenantId] of tenants.entries()) {
    const files = [...generateFiles(SMALL_TENANT_PASSAGES, seed)];
    const ids = files.map(() => uuidv7());
    await addTail(client, tenantId, ids, files);
    await addFileRows(client, tenantId, ids, false);
    const loader = new VectorLoader(client, tenantId);
    for (const [position, file] of files.entries()) await loader.add(ids[position] ?? '', file);
    await loader.finish();
  }
  await indexVectors(client);
  await refreshStatistics(opened);
  await compare(opened, tenants, `${SMALL_TENANTS.toLocaleString('en')} × ${SMALL_TENANT_PASSAGES}`);
  await close();
}

async function refreshStatistics({ client, database, formerDatabase }: BenchDatabase): Promise<void> {
  await client.query('vacuum analyze');
  await database.ping();
  await formerDatabase.ping();
}

const chosen = process.argv.slice(2).map(Number);
console.log(`load average ${loadavg()[0]?.toFixed(1)}; milliseconds`);
for (const passages of chosen.length > 0 ? chosen : [10_000, 100_000, 1_000_000]) await oneTenant(passages);
if (chosen.length === 0) await manyTenants();
process.exit();
