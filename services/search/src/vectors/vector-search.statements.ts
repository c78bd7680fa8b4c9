// The SQL of a search by vector, without that of an index. It is hot.
import { statement } from '@kiln/platform';

/** Reads the sets of a tenant that have vectors, the largest first. $1 tenant, $2 limit. */
export const readSets = statement(
  'search.read_vector_sets',
  `select s.tenant_id as "tenantId", s.model, s.dimensions, s.files, s.vectors, t.generation
     from vector_generations t join vector_sets s on s.tenant_id = $1
    where t.tenant_id = $1 and s.files > 0
    order by s.vectors desc, s.model, s.dimensions limit $2`,
);

/**
 * Reads the exact vectors of chunks. Null when the file was deleted or replaced since. $1 tenant. Arrays with one element per chunk: $2 file,
 * $3 job number, $4 fence, $5 index. $6 bytes of a vector; 0 reads nothing of the vectors.
 */
export const readVectors = statement(
  'search.read_vectors',
  `select case when f.file_id is null then null when $6::int4 = 0 then ''::bytea else
            (select substring(p.vectors from (t.index - p.first_index) * $6::int4 + 1 for $6::int4)
               from vector_parts p
              where p.tenant_id = $1 and p.file_id = t.file_id and p.first_index <= t.index
              order by p.first_index desc limit 1)
          end as vector
     from unnest($2::uuid[], $3::int8[], $4::int8[], $5::int4[]) with ordinality as t(file_id, job_number, fence, index, position)
     left join files f on f.tenant_id = $1 and f.file_id = t.file_id and f.job_number = t.job_number and f.fence = t.fence
    order by t.position`,
);
