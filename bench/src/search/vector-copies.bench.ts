// Searches by pgvector or OpenSearch in tenants of 1,000, 20,000 and 500,000 vectors of one installation: the share of the ten nearest chunks that are
// found, compared with an exact scan of Float32, with and without a filter that half of the files pass; time, and CPU, without that of
// OpenSearch. `KILN_TEST_POSTGRES_URL=… npm run bench:vector-copies -- pgvector [vectors …]` needs a server with pgvector,
// `npm run bench:vector-copies -- http://127.0.0.1:9200 [vectors …]` an OpenSearch with the k-NN plugin, where it leaves an index.
import { createLogger } from '@kiln/platform';
import { facetsOfFilter } from '@kiln/search/postings/domain/facet';
import { OpenSearchConnection } from '@kiln/search/opensearch/opensearch-connection.adapter';
import type { CopiedVectorIndex } from '@kiln/search/vectors/copies/copied-vector-index.adapter';
import { OpenSearchVectorIndex } from '@kiln/search/vectors/opensearch/opensearch-vector-index.adapter';
import { OpenSearchVectorIndexes } from '@kiln/search/vectors/opensearch/opensearch-vector-indexes.adapter';
import { PgVectorIndex } from '@kiln/search/vectors/pgvector/pgvector-index.adapter';
import { VectorFeed } from '@kiln/search/vectors/vector-feed.store';
import type { VectorHit, VectorIndex, VectorSet } from '@kiln/search/vectors/vector-index.port';
import { readSets } from '@kiln/search/vectors/vector-search.statements';
import { loadavg } from 'node:os';
import { v7 as uuidv7 } from 'uuid';
import { clusteredVectors } from './clustered-vectors.js';
import { ExactScan } from './exact-scan.js';
import { CHUNKS_PER_FILE } from './generated-files.js';
import { measure } from './measure.js';
import { openDatabase } from './open-database.js';
import { FILES_PER_WRITE, writeVectors, type VectorsOfTenant } from './write-vectors.js';

const DIMENSIONS = 128;
const NEIGHBOURS = 10;
const QUERIES = 160;
const CHECKED_QUERIES = 50;
const SPACES = ['even', 'odd'];

const meanwhile: VectorIndex = {
  search: () => Promise.reject(new Error('the copy must answer')),
  close: () => Promise.resolve(),
};

type Opened = Awaited<ReturnType<typeof openDatabase>>;

async function fill({ database }: Opened, count: number) {
  const ids = Array.from({ length: count / CHUNKS_PER_FILE }, () => uuidv7());
  const spaces = ids.map((_, file) => SPACES[file % SPACES.length] ?? '');
  const { vectors, queries } = clusteredVectors(count, QUERIES, DIMENSIONS, count);
  const tenant: VectorsOfTenant = { tenantId: uuidv7(), ids, spaces, vectors, dimensions: DIMENSIONS };
  for (let from = 0; from < ids.length; from += FILES_PER_WRITE) await writeVectors(database, tenant, from);
  return { ...tenant, queries };
}

const keyOf = ({ fileId, index }: VectorHit) => `${fileId} ${index}`;

async function compare(
  opened: Opened,
  index: Pick<CopiedVectorIndex, 'writer' | 'search' | 'close'>,
  tenant: Awaited<ReturnType<typeof fill>>,
): Promise<void> {
  const { client, database } = opened;
  const setOf = async () => {
    const [set] = await database.query<VectorSet & Record<string, unknown>>(readSets, [tenant.tenantId, 1]);
    return set as VectorSet;
  };
  const startedAt = performance.now();
  const state = await index.writer.update(await setOf());
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  const set = await setOf();
  console.log(`${set.vectors.toLocaleString('en')} vectors: ${state} after ${seconds} s`);
  const exact = new ExactScan(tenant);
  for (const facets of [[], facetsOfFilter({ space: 'even' })]) {
    const search = (by: VectorIndex, query: number) => {
      const vector = tenant.queries[query % QUERIES] as Float32Array;
      return by.search(set, { vector, facets, limit: NEIGHBOURS, of: 'chunk' });
    };
    let found = 0;
    for (let query = 0; query < CHECKED_QUERIES; query++) {
      const best = new Set((await search(exact, query)).hits.map(keyOf));
      found += (await search(index, query)).hits.filter((hit) => best.has(keyOf(hit))).length;
    }
    const { p50, p99, nodeCpu, postgresCpu } = await measure(client, (query) => search(index, query));
    const numbers = [p50, p99, nodeCpu, postgresCpu].map((value) => value.toFixed(1)).join(' / ');
    const recall = (found / (CHECKED_QUERIES * NEIGHBOURS)).toFixed(3);
    console.log(
      `  ${facets.length === 0 ? 'no filter' : 'half pass'}: recall@10 ${recall}, p50 / p99 / CPU of node / of Postgres ${numbers} ms`,
    );
  }
}

async function openIndex(place: string | undefined) {
  const options = { database, feed: new VectorFeed(database), meanwhile, logger };
  if (place === 'pgvector') return new PgVectorIndex(options);
  if (place === undefined) throw new Error('name pgvector, or the address of an OpenSearch');
  const connection = await OpenSearchConnection.open({ urls: [place] });
  const prefix = `bench-${Date.now()}-vectors-`;
  const indexes = new OpenSearchVectorIndexes({ connection, database, prefix, shards: 1, replicas: 0 });
  return new OpenSearchVectorIndex({ ...options, indexes });
}

const [place, ...rest] = process.argv.slice(2);
const counts = rest.map(Number);
const opened = await openDatabase();
const logger = createLogger({ service: 'search', role: 'all', level: 'warn' });
const { database } = opened;
const index = await openIndex(place);
const tenants = [];
for (const count of counts.length > 0 ? counts : [1_000, 20_000, 500_000]) tenants.push(await fill(opened, count));
await opened.client.query('vacuum analyze');
console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
// The largest first: the others are searched beside it.
for (const tenant of tenants.toReversed()) await compare(opened, index, tenant);
await index.close();
await opened.close();
process.exit();
