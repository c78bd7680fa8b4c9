// The SQL of staged vectors. A staged file has a key of six columns: $1 tenant, $2 file, $3 model, $4 dimensions, $5 number of the job,
// $6 fence.
import { statement } from '@kiln/platform';

const KEY = `s.tenant_id = $1 and s.file_id = $2 and s.model = $3 and s.dimensions = $4 and s.job_number = $5 and s.fence = $6`;

/** A join: the current version of a file, and what searches use or is staged of it. $1 tenant, $2 file, $3 model, $4 dimensions. */
export const readVersion = statement(
  'search.read_version_to_embed',
  `select f.job_number as "jobNumber", f.fence, f.chunks,
          exists (select 1 from vector_files v
                   where v.tenant_id = $1 and v.file_id = $2 and v.model = $3 and v.dimensions = $4 and v.vectors = f.chunks) as "isCurrent",
          exists (select 1 from staged_vector_files s
                   where s.tenant_id = $1 and s.file_id = $2 and s.model = $3 and s.dimensions = $4
                     and s.job_number = f.job_number and s.fence = f.fence and s.vectors is not null) as "isStaged"
     from files f where f.tenant_id = $1 and f.file_id = $2 and f.removed_at is null and f.job_number > 0`,
);

/** $7 facets. Returns the number of chunks whose vectors are staged, from the first one on. */
export const beginStaging = statement(
  'search.begin_staging',
  `with begun as (
     insert into staged_vector_files (tenant_id, file_id, model, dimensions, job_number, fence, facets)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing
   )
   select coalesce(max(s.first_index + octet_length(s.codes) / ($4::int4 + 4)), 0)::int4 as staged from staged_vector_parts s where ${KEY}`,
);

/** Arrays with one element per part: $7 index of its first chunk, $8 vectors, $9 codes. A repeat changes nothing. */
export const insertStagedParts = statement(
  'search.insert_staged_parts',
  `insert into staged_vector_parts (tenant_id, file_id, model, dimensions, job_number, fence, first_index, vectors, codes)
   select $1, $2, $3, $4, $5, $6, * from unnest($7::int4[], $8::bytea[], $9::bytea[])
   on conflict do nothing`,
);

/**
 * Fenced. Returns no row when the file has another version now, its chunks are at other places, or vectors are missing or double.
 * $7 chunks, $8 their places (`placesOf`).
 */
export const completeStaging = statement(
  'search.complete_staging',
  `update staged_vector_files s set vectors = $7::int4
    where ${KEY}
      and exists (select 1 from files f where f.tenant_id = $1 and f.file_id = $2 and f.job_number = $5 and f.fence = $6 and f.chunks = $7::int4)
      and $8 = (select md5(string_agg(c.start_offset || '-' || c.end_offset || ',', '' order by c.index))
                  from chunks c where c.tenant_id = $1 and c.file_id = $2)
      and $7::int4 = (select sum(octet_length(p.codes) / ($4::int4 + 4)) from staged_vector_parts p
                where p.tenant_id = $1 and p.file_id = $2 and p.model = $3 and p.dimensions = $4 and p.job_number = $5 and p.fence = $6)
   returning s.vectors`,
);

/** Parts are deleted with their file. */
export const discardStaged = statement(
  'search.discard_staged_vectors',
  `delete from staged_vector_files s where ${KEY}`,
);

/** The complete staged vectors of the version that the row of the file shows. $4 number of the job, $5 fence, $6 chunks. */
export const readStaged = statement(
  'search.read_staged_vectors',
  `select s.dimensions, s.facets from staged_vector_files s
    where s.tenant_id = $1 and s.file_id = $2 and s.model = $3 and s.job_number = $4 and s.fence = $5 and s.vectors = $6
    order by s.dimensions desc limit 1`,
);

/** Copies the next $8 parts after the index $7. */
export const copyStagedParts = statement(
  'search.copy_staged_parts',
  `insert into vector_parts (tenant_id, file_id, first_index, vectors, codes)
   select s.tenant_id, s.file_id, s.first_index, s.vectors, s.codes from staged_vector_parts s
    where ${KEY} and s.first_index > $7::int4 order by s.first_index limit $8
   returning first_index`,
);

/** Set-based: what is staged of files in any version. $1 tenants, $2 files. */
export const discardAllStaged = statement(
  'search.discard_all_staged_vectors',
  `delete from staged_vector_files s using unnest($1::uuid[], $2::uuid[]) as k (tenant_id, file_id)
    where s.tenant_id = k.tenant_id and s.file_id = k.file_id`,
);
