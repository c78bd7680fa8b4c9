// The SQL of the rows that record copies, in the table of each kind of copy. The writer holds a lease, and its id is the fencing token: only the
// row's writer changes the copy.
import { statement } from '@kiln/platform';

const THIS_COPY = 'tenant_id = $1 and model = $2 and dimensions = $3';

/** `columns` are those of a copy. Rows `c` that do not fulfil `isCurrent` count as missing copies. It can use $3 of `readLag`. */
export function copyRows(table: string, columns: string, isCurrent = 'true') {
  const named = (name: string, text: string) => statement(`search.${name}_${table}`, text);
  return {
    /** $1 tenant, $2 model, $3 dimensions. */
    read: named('read', `select ${columns} from ${table} where ${THIS_COPY}`),

    /**
     * Makes the caller the writer, unless another process has a lease or changes the copy at this moment. $1 tenant, $2 model, $3 dimensions,
     * $4 writer, $5 seconds of the lease.
     */
    claim: named(
      'claim',
      `update ${table} set writer = $4, lease_expires_at = clock_timestamp() + make_interval(secs => $5)
        where (tenant_id, model, dimensions) in (select tenant_id, model, dimensions from ${table}
                                                  where ${THIS_COPY} and lease_expires_at <= clock_timestamp() for update skip locked)
       returning ${columns}`,
    ),

    /**
     * Renews the lease, and locks the row until the end of the transaction. Returns no row to a former writer. $1 tenant, $2 model,
     * $3 dimensions, $4 writer, $5 seconds of the lease.
     */
    renew: named(
      'renew',
      `update ${table} set lease_expires_at = clock_timestamp() + make_interval(secs => $5)
        where ${THIS_COPY} and writer = $4 returning number`,
    ),

    /** Of the writer, who holds the row's lock. $1 tenant, $2 model, $3 dimensions, $4 generation. */
    writeGeneration: named('write_generation', `update ${table} set generation = $4 where ${THIS_COPY}`),

    /** Ends the lease. $1 tenant, $2 model, $3 dimensions, $4 writer. */
    release: named(
      'release',
      `update ${table} set lease_expires_at = clock_timestamp() where ${THIS_COPY} and writer = $4`,
    ),

    /** $1 tenant, $2 model, $3 dimensions. */
    remove: named('delete', `delete from ${table} where ${THIS_COPY}`),

    /** Copies of sets that have no vectors left. $1 tenant. */
    readEmpty: named(
      'read_empty',
      `select c.tenant_id as "tenantId", c.model, c.dimensions, coalesce(s.files, 0)::int8 as files, 0 as vectors, c.generation
         from ${table} c
         left join vector_sets s on s.tenant_id = c.tenant_id and s.model = c.model and s.dimensions = c.dimensions
        where c.tenant_id = $1 and coalesce(s.files, 0) = 0`,
    ),

    /**
     * An aggregate over all tenants, for the safety poll: how many copies are missing or lack changes, how many changes one of them lacks at most,
     * and the tenants of some of them. $1 maximum number of tenants, $2 maximum length of vectors.
     */
    readLag: named(
      'read_lag',
      `with behind as materialized (
         select t.tenant_id, t.generation - coalesce(c.generation, 0) as changes
           from vector_generations t
           join (select tenant_id, model, dimensions from vector_sets where files > 0 and dimensions <= $2
                 union select tenant_id, model, dimensions from ${table}) s on s.tenant_id = t.tenant_id
           left join ${table} c on c.tenant_id = s.tenant_id and c.model = s.model and c.dimensions = s.dimensions and ${isCurrent}
          where coalesce(c.generation, 0) < t.generation
       )
       select count(*)::int4 as copies, coalesce(max(changes), 0)::int8 as changes,
              array(select distinct tenant_id from behind limit $1) as "tenantIds"
         from behind`,
    ),
  };
}

export type CopyRows = ReturnType<typeof copyRows>;

/** An aggregate: the files and vectors that pass a filter. $1 tenant, $2 model, $3 dimensions, $4 facets. */
export const countPassing = statement(
  'search.count_passing_vectors',
  `select count(*)::int8 as files, coalesce(sum(vectors), 0)::int8 as vectors from vector_files
    where tenant_id = $1 and model = $2 and dimensions = $3 and vectors > 0 and facets @> $4::text[]`,
);
