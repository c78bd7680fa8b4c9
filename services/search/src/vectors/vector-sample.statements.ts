// The SQL that reads a sample of a set. It is hot while a tenant's vectors change.
import { statement } from '@kiln/platform';

/** The first and the last file of the set. $1 tenant, $2 model, $3 dimensions. */
export const readEnds = statement(
  'search.read_vector_ends',
  `select (select f.file_id from vector_files f
            where f.tenant_id = $1 and f.model = $2 and f.dimensions = $3 and f.vectors > 0 and f.removed_at is null
            order by f.tenant_id, f.file_id limit 1) as first,
          (select f.file_id from vector_files f
            where f.tenant_id = $1 and f.model = $2 and f.dimensions = $3 and f.vectors > 0 and f.removed_at is null
            order by f.tenant_id desc, f.file_id desc limit 1) as last`,
);

/**
 * One coded vector of the first file at or after each point. $1 tenant, $2 model, $3 dimensions, $4 bytes of a coded vector. Arrays with one
 * element per point: $5 the lowest file id, $6 which of the file's vectors, counted beyond its last one again from the first.
 */
export const readSample = statement(
  'search.read_vector_sample',
  `select substring(p.codes from (p.place * $4::int4 + 1) for $4::int4) as code
     from unnest($5::uuid[], $6::int4[]) as t(file_id, chosen)
    cross join lateral (
      select f.file_id, f.vectors from vector_files f
       where f.tenant_id = $1 and f.file_id >= t.file_id and f.model = $2 and f.dimensions = $3 and f.vectors > 0 and f.removed_at is null
       order by f.tenant_id, f.file_id limit 1) f
    cross join lateral (
      select v.codes, t.chosen % (octet_length(v.codes) / $4::int4) as place from vector_parts v
       where v.tenant_id = $1 and v.file_id = f.file_id
       order by v.first_index limit 1) p`,
);
