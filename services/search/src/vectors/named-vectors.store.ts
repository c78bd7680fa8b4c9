// Compares the vectors of the files that a search names by their ids one by one, so that they are found among any number of others.
import { EventLoopBudget, statement, type Queryable } from '@kiln/platform';
import { nearestOfFile } from './nearest-of-file.domain.js';
import { codedBytes } from './vector-codes.domain.js';
import type { FileChange } from './changes.domain.js';
import type { VectorHits, VectorQuery, VectorSet } from './vector-index.port.js';

/** The index finds those of files that have more. */
const BYTES_MAX = 8_388_608;
const NAMED = `f.tenant_id = $1 and f.model = $2 and f.dimensions = $3 and f.vectors > 0 and f.file_id = any($4::uuid[]) and f.facets @> $5::text[]`;
/** An aggregate. $1 tenant, $2 model, $3 dimensions, $4 files, $5 facets. */
const count = statement(
  'search.count_named_vectors',
  `select count(*)::int4 as files, coalesce(sum(vectors), 0)::int8 as vectors from vector_files f where ${NAMED}`,
);
/** A join. The same values. */
const read = statement(
  'search.read_named_vectors',
  `select f.file_id, f.job_number, f.fence, p.first_index, p.codes
     from vector_files f join vector_parts p on p.tenant_id = $1 and p.file_id = f.file_id
    where ${NAMED} order by f.file_id, p.first_index`,
);

interface Row {
  file_id: string;
  job_number: number;
  fence: number;
  first_index: number;
  codes: Buffer;
}

/** Null if they have too many vectors. */
export async function searchNamed(
  database: Queryable,
  { tenantId, model, dimensions, generation }: VectorSet,
  query: VectorQuery,
  fileIds: readonly string[],
): Promise<VectorHits | null> {
  const values = [tenantId, model, dimensions, fileIds, query.facets];
  const [counted] = await database.query<{ files: number; vectors: number }>(count, values);
  const { files, vectors } = counted ?? { files: 0, vectors: 0 };
  if (vectors * codedBytes(dimensions) > BYTES_MAX) return null;
  const rows = vectors === 0 ? [] : await database.query<Row>(read, values);
  const budget = new EventLoopBudget();
  const hits: VectorHits['hits'] = [];
  for (const parts of Map.groupBy(rows, ({ file_id: id }) => id).values()) {
    if (budget.isSpent) await budget.renew();
    hits.push(...nearestOfFile(fileOf(parts, generation), dimensions, query));
  }
  return { hits: hits.sort((left, right) => right.score - left.score).slice(0, query.limit), files };
}

function fileOf(parts: readonly Row[], generation: number): FileChange {
  const { file_id: fileId, job_number: jobNumber, fence } = parts[0] as Row;
  const vectors = parts.map(({ first_index: firstIndex, codes }) => ({ firstIndex, codes }));
  return { fileId, jobNumber, fence, generation, facets: [], parts: vectors };
}
