// Searches by vector and hybrid, in one tenant of 10,000 and of 100,000 vectors of 384 numbers, with and without a filter that one file in a
// hundred passes: time, CPU, and the share of the ten nearest chunks that are found. Compared are the embedded index and an exact scan of
// Float32: each alone, and each in a whole search, with the same statements around it. The provider of embeddings is replaced by known
// vectors, so its time does not count.
// `npm run bench:vectors [vectors …]`
import { searchRequestSchema } from '@kiln/contracts';
import { createLogger, type Database } from '@kiln/platform';
import { facetsOfFilter } from '@kiln/search/postings/domain/facet';
import { QueryReranker } from '@kiln/search/providers/query-reranker.service';
import { RankByVector } from '@kiln/search/searching/rank-by-vector.usecase';
import { RankExistingFiles } from '@kiln/search/searching/rank-existing-files.usecase';
import { RankChunks } from '@kiln/search/searching/rank-chunks.usecase';
import { RerankChunks } from '@kiln/search/searching/rerank-chunks.usecase';
import { SearchFiles } from '@kiln/search/searching/search-files.usecase';
import { ChunkStore } from '@kiln/search/text-index/chunk.store';
import { PostingsMemory } from '@kiln/search/text-index/postings-memory.domain';
import { VectorCopyRequests } from '@kiln/search/vectors/copies/vector-copy-requests.service';
import { TextIndex } from '@kiln/search/text-index/text-index.service';
import { MemoryVectorIndex } from '@kiln/search/vectors/memory/memory-vector-index.adapter';
import { VectorFeed } from '@kiln/search/vectors/vector-feed.store';
import type { VectorIndex } from '@kiln/search/vectors/vector-index.port';
import { VectorSearch } from '@kiln/search/vectors/vector-search.service';
import { loadavg } from 'node:os';
import { v7 as uuidv7 } from 'uuid';
import { addFileRows, BlockLoader } from './block-index.js';
import { clusteredVectors } from './clustered-vectors.js';
import { ExactScan } from './exact-scan.js';
import {
  CHUNKS_PER_FILE,
  generateFiles,
  PASSAGES_PER_FILE,
  randomNumbers,
  randomTerm,
  RARE_SPACE,
} from './generated-files.js';
import { measure, type Measured } from './measure.js';
import { openDatabase } from './open-database.js';
import { FILES_PER_WRITE, writeVectors } from './write-vectors.js';

const DIMENSIONS = 384;
const NEIGHBOURS = 10;
const QUERIES = 200;
const WORDS = 5;
const MEMORY_BYTES = 536_870_912;

type Tenant = ReturnType<typeof clusteredVectors> & { tenantId: string; ids: string[]; spaces: string[] };

async function fill(
  { client, database }: Pick<Awaited<ReturnType<typeof openDatabase>>, 'client' | 'database'>,
  count: number,
): Promise<Tenant> {
  const tenantId = uuidv7();
  const loader = new BlockLoader(client, tenantId);
  const spaces: string[] = [];
  for (const file of generateFiles((count / CHUNKS_PER_FILE) * PASSAGES_PER_FILE, 1)) {
    spaces.push(file.space);
    await loader.add(file);
  }
  await loader.finish();
  const ids = spaces.map(() => uuidv7());
  await addFileRows(client, tenantId, ids, true);
  const tenant = { tenantId, ids, spaces, ...clusteredVectors(count, QUERIES, DIMENSIONS, 1) };
  for (let from = 0; from < ids.length; from += FILES_PER_WRITE)
    await writeVectors(database, { ...tenant, dimensions: DIMENSIONS }, from);
  await client.query('vacuum analyze');
  return tenant;
}

const logger = createLogger({ service: 'search', role: 'all', level: 'error' });

function searchesOf(database: Database, tenant: Tenant, index: VectorIndex) {
  const embedder = {
    isAvailable: () => Promise.resolve(true),
    embed: (text: string) => Promise.resolve(tenant.queries[Number(text.split(' ').at(-1))] ?? new Float32Array()),
  };
  const vectors = new VectorSearch(database, index, embedder, logger);
  const texts = new TextIndex(
    database,
    { afterSearch: () => {}, afterWrite: () => {} },
    new PostingsMemory(100_663_296),
    new VectorCopyRequests(),
    null,
  );
  const known = {
    among: (ids: readonly string[]) => Promise.resolve(new Set(ids)),
    detailed: (ids: ReadonlySet<string>) => Promise.resolve({ existing: ids, details: new Map() }),
  };
  const existing = new RankExistingFiles(texts, known);
  const ranking = new RankByVector(vectors, existing);
  const chunks = new RankChunks(
    existing,
    ranking,
    vectors,
    new ChunkStore(database),
    { KILN_HYBRID_VECTOR_WEIGHT: 0.3 },
    logger,
  );
  const reranking = new RerankChunks(new QueryReranker([], 0, () => {}), logger);
  const files = new SearchFiles(chunks, reranking, known);
  return { vectors, files };
}

async function compare(count: number): Promise<void> {
  const { client, database, close } = await openDatabase();
  const tenant = await fill({ client, database }, count);
  const index = new MemoryVectorIndex({ feed: new VectorFeed(database), bytesMax: MEMORY_BYTES, logger });
  const scan = new ExactScan(tenant);
  const [kiln, baseline] = [searchesOf(database, tenant, index), searchesOf(database, tenant, scan)];
  const { tenantId } = tenant;
  const context = { requestId: 'bench', tenantId, mode: 'live' as const, principal: 'bench', deadlineAt: Infinity };
  const loadedFrom = performance.now();
  const [set] = await kiln.vectors.setsOf(tenantId);
  if (!set) throw new Error('no vectors were written');
  const vectorOf = (query: number) => tenant.queries[query % QUERIES] ?? new Float32Array();
  await index.search(set, { vector: vectorOf(0), facets: [], limit: 1, of: 'chunk' });
  const loadMs = performance.now() - loadedFrom;
  console.log(
    `${count.toLocaleString('en')} × ${DIMENSIONS}: read in ${loadMs.toFixed(0)} ms, ${(index.bytes / 1e6).toFixed(0)} MB`,
  );
  for (const space of [undefined, RARE_SPACE]) {
    const title = space === undefined ? 'all files' : 'filter 1 %';
    const facets = facetsOfFilter({ space });
    const alone = (one: VectorIndex) => (query: number) =>
      one.search(set, { vector: vectorOf(query), facets, limit: NEIGHBOURS, of: 'file' });
    const whole = (searches: typeof kiln, mode: 'vector' | 'hybrid') => (query: number) =>
      searches.files.execute(
        searchRequestSchema.parse({ mode, query: queryText(query), space, limit: NEIGHBOURS }),
        context,
      );
    const scanAlone = await measure(client, alone(scan));
    print(`${title}, exact scan`, scanAlone, scanAlone);
    print(`${title}, index`, await measure(client, alone(index)), scanAlone);
    for (const mode of ['vector', 'hybrid'] as const) {
      const byScan = await measure(client, whole(baseline, mode));
      print(`${title}, search ${mode}, exact scan`, byScan, byScan);
      print(`${title}, search ${mode}`, await measure(client, whole(kiln, mode)), byScan);
    }
    let found = 0;
    for (const [position, vector] of tenant.queries.entries()) {
      const exact = await scan.search(set, { vector, facets, limit: NEIGHBOURS, of: 'chunk' });
      const worst = exact.hits.at(-1)?.score ?? 0;
      const nearest = { text: String(position), facets, limit: NEIGHBOURS, of: 'chunk', scores: 'exact' } as const;
      const { hits } = await kiln.vectors.nearest(nearest, context);
      found += hits.filter(({ score }) => score >= worst - 1e-6).length;
    }
    console.log(`${title}, recall@${NEIGHBOURS} ${(found / (QUERIES * NEIGHBOURS)).toFixed(4)}`);
  }
  await index.close();
  await close();
}

function queryText(query: number): string {
  const random = randomNumbers(query);
  return `${Array.from({ length: WORDS }, () => randomTerm(random)).join(' ')} ${query % QUERIES}`;
}

function print(title: string, { p50, p99, nodeCpu, postgresCpu }: Measured, exact: Measured): void {
  const ms = (value: number) => value.toFixed(1).padStart(7);
  const cells = `p50 ${ms(p50)} p99 ${ms(p99)} cpu node ${ms(nodeCpu)} postgres ${ms(postgresCpu)}`;
  console.log(`${title.padEnd(32)} ${cells} | ${(exact.p50 / p50).toFixed(1)} ×`);
}

const chosen = process.argv.slice(2).map(Number);
console.log(`load average ${loadavg()[0]?.toFixed(1)}; milliseconds`);
for (const count of chosen.length > 0 ? chosen : [10_000, 100_000]) await compare(count);
process.exit();
