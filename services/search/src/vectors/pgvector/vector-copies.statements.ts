// The SQL of `pgvector_copies`: which copies of vectors pgvector has. The tables belong to no migration: they are copies, and exist only
// where pgvector does. (`vector_copies` and `copied_vectors_…` are those of release 0.2.)
import { statement } from '@kiln/platform';

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
 * `number` names the own table of a large set. The writer holds a lease, and its id is the fencing token: only the row's writer changes the copy.
 */
export const createCopies = statement(
  'search.create_vector_copies',
  `create table if not exists pgvector_copies (
     tenant_id uuid not null, model text not null, dimensions int not null, number bigint generated always as identity,
     generation bigint not null default 0, is_large boolean not null default false, is_indexed boolean not null default false,
     writer uuid, lease_expires_at timestamptz not null default now(), primary key (tenant_id, model, dimensions))`,
);

const COLUMNS = 'number, generation, is_large as "isLarge", is_indexed as "isIndexed"';
const THIS_COPY = 'tenant_id = $1 and model = $2 and dimensions = $3';

/** $1 tenant, $2 model, $3 dimensions. */
export const readCopy = statement(
  'search.read_vector_copy',
  `select ${COLUMNS} from pgvector_copies where ${THIS_COPY}`,
);

/** $1 tenant, $2 model, $3 dimensions. */
export const insertCopy = statement(
  'search.insert_vector_copy',
  `insert into pgvector_copies (tenant_id, model, dimensions) values ($1, $2, $3) on conflict do nothing`,
);

/**
 * Makes the caller the writer, unless another process has a lease or changes the copy at this moment. $1 tenant, $2 model, $3 dimensions,
 * $4 writer, $5 seconds of the lease.
 */
export const claimCopy = statement(
  'search.claim_vector_copy',
  `update pgvector_copies set writer = $4, lease_expires_at = clock_timestamp() + make_interval(secs => $5)
    where (tenant_id, model, dimensions) in (select tenant_id, model, dimensions from pgvector_copies
                                              where ${THIS_COPY} and lease_expires_at <= clock_timestamp() for update skip locked)
   returning ${COLUMNS}`,
);

/**
 * Renews the lease, and locks the row until the end of the transaction. Returns no row to a former writer. $1 tenant, $2 model,
 * $3 dimensions, $4 writer, $5 seconds of the lease.
 */
export const renewCopy = statement(
  'search.renew_vector_copy',
  `update pgvector_copies set lease_expires_at = clock_timestamp() + make_interval(secs => $5)
    where ${THIS_COPY} and writer = $4 returning number`,
);

/** Of the writer, who holds the row's lock. $1 tenant, $2 model, $3 dimensions, $4 generation. */
export const writeGeneration = statement(
  'search.write_vector_copy_generation',
  `update pgvector_copies set generation = $4 where ${THIS_COPY}`,
);

/** Of the writer, who holds the row's lock. $1 tenant, $2 model, $3 dimensions, $4 whether the copy has an index. */
export const writePlace = statement(
  'search.write_vector_copy_place',
  `update pgvector_copies set is_large = true, is_indexed = $4 where ${THIS_COPY} returning ${COLUMNS}`,
);

/** Ends the lease. $1 tenant, $2 model, $3 dimensions, $4 writer. */
export const releaseCopy = statement(
  'search.release_vector_copy',
  `update pgvector_copies set lease_expires_at = clock_timestamp() where ${THIS_COPY} and writer = $4`,
);

/** $1 tenant, $2 model, $3 dimensions. */
export const deleteCopy = statement('search.delete_vector_copy', `delete from pgvector_copies where ${THIS_COPY}`);

/** Copies of sets that have no vectors left. $1 tenant. */
export const readEmptyCopies = statement(
  'search.read_empty_vector_copies',
  `select c.tenant_id as "tenantId", c.model, c.dimensions, coalesce(s.files, 0)::int8 as files, 0 as vectors, c.generation
     from pgvector_copies c
     left join vector_sets s on s.tenant_id = c.tenant_id and s.model = c.model and s.dimensions = c.dimensions
    where c.tenant_id = $1 and coalesce(s.files, 0) = 0`,
);

/**
 * An aggregate over all tenants, for the safety poll: how many copies lack changes, how many changes one of them lacks at most, and the tenants of
 * some of them. $1 maximum number of tenants.
 */
export const readLag = statement(
  'search.read_vector_copy_lag',
  `with behind as materialized (
     select c.tenant_id, t.generation - c.generation as changes
       from pgvector_copies c join vector_generations t on t.tenant_id = c.tenant_id
      where c.generation < t.generation
   )
   select count(*)::int4 as copies, coalesce(max(changes), 0)::int8 as changes,
          array(select distinct tenant_id from behind limit $1) as "tenantIds"
     from behind`,
);

/** An aggregate: the files and vectors that pass a filter. $1 tenant, $2 model, $3 dimensions, $4 facets. */
export const countPassing = statement(
  'search.count_passing_vectors',
  `select count(*)::int8 as files, coalesce(sum(vectors), 0)::int8 as vectors from vector_files
    where tenant_id = $1 and model = $2 and dimensions = $3 and vectors > 0 and facets @> $4::text[]`,
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
