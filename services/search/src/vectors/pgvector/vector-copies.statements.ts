// The SQL of `pgvector_copies`: which copies of vectors pgvector has. The tables belong to no migration: they are copies, and exist only
// where pgvector does. (`vector_copies` and `copied_vectors_…` are those of release 0.2.)
import { statement } from '@kiln/platform';
import { copyRows } from '../copies/copy-rows.statements.js';

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

/** `number` names the own table of a large set. */
export const createCopies = statement(
  'search.create_vector_copies',
  `create table if not exists pgvector_copies (
     tenant_id uuid not null, model text not null, dimensions int not null, number bigint generated always as identity,
     generation bigint not null default 0, is_large boolean not null default false, is_indexed boolean not null default false,
     writer uuid, lease_expires_at timestamptz not null default now(), primary key (tenant_id, model, dimensions))`,
);

const COLUMNS = 'number, generation, is_large as "isLarge", is_indexed as "isIndexed"';
export const pgVectorRows = copyRows('pgvector_copies', COLUMNS);

/** $1 tenant, $2 model, $3 dimensions. */
export const insertCopy = statement(
  'search.insert_vector_copy',
  `insert into pgvector_copies (tenant_id, model, dimensions) values ($1, $2, $3) on conflict do nothing`,
);

/** Of the writer, who holds the row's lock. $1 tenant, $2 model, $3 dimensions, $4 whether the copy has an index. */
export const writePlace = statement(
  'search.write_vector_copy_place',
  `update pgvector_copies set is_large = true, is_indexed = $4 where tenant_id = $1 and model = $2 and dimensions = $3
   returning ${COLUMNS}`,
);

/**
 * Settings for the current transaction. The scan ends when enough rows pass the filter, when it has read $2 rows, or when its memory is used up:
 * eight times `work_mem`. $1 the size of the candidate list.
 */
export const setScan = statement(
  'search.set_vector_scan',
  `select set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', $1::text, true),
          set_config('hnsw.max_scan_tuples', $2::text, true), set_config('hnsw.scan_mem_multiplier', '8', true),
          set_config('enable_sort', 'off', true), set_config('enable_indexscan', 'on', true)`,
);
