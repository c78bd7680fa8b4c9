// The SQL that reads a sample of a set. It is hot while a tenant's vectors change.
import { statement } from '@kiln/platform';

/** All coded vectors of a small set, those of a row one after the other. $1 tenant, $2 model, $3 dimensions, $4 the most rows. */
export const readSmallSet = statement(
  'search.read_small_vector_set',
  `select p.codes from vector_files f join vector_parts p on p.tenant_id = f.tenant_id and p.file_id = f.file_id
    where f.tenant_id = $1 and f.model = $2 and f.dimensions = $3 and f.vectors > 0 and f.removed_at is null
    order by f.file_id, p.first_index limit $4`,
);

/** The first and the last change of the set's files. $1 tenant, $2 model, $3 dimensions. */
export const readEnds = statement(
  'search.read_vector_ends',
  `select min(f.generation) as first, max(f.generation) as last from vector_files f
    where f.tenant_id = $1 and f.model = $2 and f.dimensions = $3`,
);

/**
 * One coded vector of the first file at or after each change, each vector once. $1 tenant, $2 model, $3 dimensions, $4 bytes of a coded vector.
 * Arrays with one element per change: $5 the change, $6 which of the file's vectors, counted beyond its last one again from the first.
 */
export const readSample = statement(
  'search.read_vector_sample',
  `select distinct on (f.file_id, p.place) substring(p.codes from (p.place * $4::int4 + 1) for $4::int4) as code
     from unnest($5::int8[], $6::int4[]) as t(generation, chosen)
    cross join lateral (
      select f.file_id from vector_files f
       where f.tenant_id = $1 and f.model = $2 and f.dimensions = $3 and f.generation >= t.generation and f.vectors > 0 and f.removed_at is null
       order by f.generation, f.file_id limit 1) f
    cross join lateral (
      select v.codes, t.chosen % (octet_length(v.codes) / $4::int4) as place from vector_parts v
       where v.tenant_id = $1 and v.file_id = f.file_id
       order by v.first_index limit 1) p`,
);
