// The SQL of the index in PostgreSQL, with pgvector (https://github.com/pgvector/pgvector). Each length of vectors has a table of its own, since
// an index needs vectors of one length. The tables belong to no migration: they are copies, and exist only where pgvector does.
import { statement, type Statement } from '@kiln/platform';

/** HNSW indexes take up to 2,000 numbers of 4 bytes, and up to 4,000 of 2 bytes. Above 1,000, half the size is worth more than precision. */
const HALF_FROM = 1_001;
export const DIMENSIONS_MAX = 4_000;

const typeOf = (dimensions: number) => (dimensions >= HALF_FROM ? 'halfvec' : 'vector');
const tableOf = (dimensions: number) => `copied_vectors_${dimensions}`;

/** Reads a system catalog. */
export const isInstalled = statement(
  'search.is_pgvector_installed',
  `select true as installed from pg_extension where extname = 'vector'`,
);

/** Two processes that create the same table at once would fail. The lock is held until the end of the transaction. */
export const lockTables = statement(
  'search.lock_vector_copy_tables',
  `select pg_advisory_xact_lock(hashtextextended('search.vector_copies', 0))`,
);

/**
 * The statements for vectors of one length. They are named SQL because the tables have no entity. `dimensions` is a number, so it is safe
 * in SQL.
 */
export function statementsOf(dimensions: number) {
  const [table, type] = [tableOf(dimensions), typeOf(dimensions)];
  const named = (name: string, text: string): Statement => statement(`search.${name}_${dimensions}`, text);
  return {
    create: [
      `create table if not exists vector_copies (
         tenant_id uuid not null, model text not null, dimensions int not null, generation bigint not null,
         writer uuid not null, primary key (tenant_id, model, dimensions))`,
      `create table if not exists ${table} (
         tenant_id uuid not null, model text not null, file_id uuid not null, index int not null, job_number bigint not null,
         fence bigint not null, facets text[] not null, embedding ${type}(${dimensions}) not null,
         primary key (tenant_id, model, file_id, index))`,
      `create index if not exists ${table}_nearest on ${table} using hnsw (embedding ${type}_cosine_ops)`,
    ].map((text, position) => named(`create_vector_copy_${position}`, text)),
    /** $1 tenant, $2 model. */
    readGeneration: named(
      'read_copied_generation',
      `select generation from vector_copies where tenant_id = $1 and model = $2 and dimensions = ${dimensions}`,
    ),
    /** Makes this process the writer of the copy. Returns its generation. $1 tenant, $2 model, $3 writer. */
    claim: named(
      'claim_vector_copy',
      `insert into vector_copies as c (tenant_id, model, dimensions, generation, writer) values ($1, $2, ${dimensions}, 0, $3)
       on conflict (tenant_id, model, dimensions) do update set writer = excluded.writer
       returning c.generation`,
    ),
    /** Returns no row when another process has become the writer. $1 tenant, $2 model, $3 writer, $4 generation. */
    writeGeneration: named(
      'write_copied_generation',
      `update vector_copies set generation = $4
        where tenant_id = $1 and model = $2 and dimensions = ${dimensions} and writer = $3
       returning generation`,
    ),
    /** $1 tenant, $2 model. */
    deleteAll: named('delete_vector_copies', `delete from ${table} where tenant_id = $1 and model = $2`),
    /** $1 tenant, $2 model, $3 files. */
    deleteFiles: named(
      'delete_copied_files',
      `delete from ${table} where tenant_id = $1 and model = $2 and file_id = any($3::uuid[])`,
    ),
    /** $1 tenant, $2 model, $3 file, $4 job number, $5 fence, $6 facets, $7 index of the first chunk, $8 the vectors as text. */
    insertVectors: named(
      'insert_vector_copies',
      `insert into ${table} (tenant_id, model, file_id, index, job_number, fence, facets, embedding)
       select $1, $2, $3, $7::int4 + position::int4 - 1, $4, $5, $6::text[], embedding::${type}(${dimensions})
         from unnest($8::text[]) with ordinality as v(embedding, position)`,
    ),
    /** Vectors of zeros have no cosine. */
    ...searches(dimensions, table, type, named),
  };
}

/** The searches. $1 tenant, $2 model, $3 facets, $4 the vector as text, $5 limit. */
function searches(dimensions: number, table: string, type: string, named: (name: string, text: string) => Statement) {
  const columns = 'file_id as "fileId", job_number as "jobNumber", fence, index';
  const distance = `embedding <=> $4::${type}(${dimensions})`;
  return {
    /** Searches by the index. A filter that removes many rows makes it read further, up to a limit. */
    nearest: named(
      'nearest_vectors',
      `select ${columns}, 1 - (${distance}) as score from ${table}
        where tenant_id = $1 and model = $2 and facets @> $3::text[]
        order by ${distance} limit $5`,
    ),
    /** Computes the distance of each of the tenant's rows that pass the filter. */
    nearestExactly: named(
      'nearest_vectors_exactly',
      `with mine as materialized (
         select file_id, job_number, fence, index, embedding from ${table}
          where tenant_id = $1 and model = $2 and facets @> $3::text[]
       )
       select ${columns}, coalesce(nullif(1 - (${distance}), 'NaN'), 0) as score from mine
        order by score desc limit $5`,
    ),
  };
}

/** Settings for the current transaction. $1 the size of the candidate list. */
export const setScan = statement(
  'search.set_vector_scan',
  `select set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', $1::text, true),
          set_config('hnsw.max_scan_tuples', '100000', true), set_config('enable_sort', 'off', true),
          set_config('enable_indexscan', 'on', true)`,
);

/** An aggregate: the files and vectors that pass a filter. $1 tenant, $2 model, $3 dimensions, $4 facets. */
export const countPassing = statement(
  'search.count_passing_vectors',
  `select count(*)::int8 as files, coalesce(sum(vectors), 0)::int8 as vectors from vector_files
    where tenant_id = $1 and model = $2 and dimensions = $3 and vectors > 0 and facets @> $4::text[]`,
);
