// The SQL of `opensearch_vector_copies`: which copies of vectors OpenSearch has.
import { statement } from '@kiln/platform';
import { copyRows } from '../copies/copy-rows.statements.js';

/** $3 of `readLag`: the name of the indexes without the length of their vectors. */
export const openSearchRows = copyRows(
  'opensearch_vector_copies',
  'number, generation, index_name as "indexName"',
  'c.index_name = $3::text || c.dimensions',
);

/** Creates the copy, or begins it again when it is in an index of another name. Returns no row when it does neither. $1 tenant, $2 model, $3 dimensions, $4 name of the index. */
export const insertCopy = statement(
  'search.insert_opensearch_vector_copy',
  `insert into opensearch_vector_copies as c (tenant_id, model, dimensions, index_name) values ($1, $2, $3, $4)
   on conflict (tenant_id, model, dimensions) do update
      set index_name = excluded.index_name, number = nextval('opensearch_vector_copy_numbers'), generation = 0, writer = null,
          lease_expires_at = '-infinity'
    where c.index_name <> excluded.index_name
   returning 1`,
);

/** Begins the copy again, by its writer, who holds the row's lock. $1 tenant, $2 model, $3 dimensions. */
export const restartCopy = statement(
  'search.restart_opensearch_vector_copy',
  `update opensearch_vector_copies set number = nextval('opensearch_vector_copy_numbers'), generation = 0
    where tenant_id = $1 and model = $2 and dimensions = $3 returning number, generation, index_name as "indexName"`,
);

/** One process creates an index. The lock is held until the end of the transaction. $1 name of the index. */
export const lockIndex = statement(
  'search.lock_opensearch_vector_index',
  `select pg_advisory_xact_lock(hashtextextended($1, 0))`,
);

/** Forgets the copies of an index that was lost. Over all tenants. $1 name of the index. */
export const deleteLostCopies = statement(
  'search.delete_lost_opensearch_vector_copies',
  `delete from opensearch_vector_copies where index_name = $1`,
);
