// Writes and removes vectors in the transaction that writes or removes the chunks of the same files. The rows of these files must be locked.
import type { ChunkLine } from '@kiln/contracts';
import { statement, type Transaction } from '@kiln/platform';
import { bytesArray, numberArray, textArray } from '../array-literal.rows.js';
import type { RunOrder } from '../indexing/run.domain.js';
import type { Embedding } from '../text-index/indexed-text.domain.js';
import { vectorParts } from './vector-codes.domain.js';

/** Inserts parts. $1 tenant. Arrays with one element per part: $2 file, $3 index of its first chunk, $4 vectors, $5 codes. */
const insertVectorParts = statement(
  'search.insert_vector_parts',
  `insert into vector_parts (tenant_id, file_id, first_index, vectors, codes)
   select $1, * from unnest($2::uuid[], $3::int4[], $4::bytea[], $5::bytea[])`,
);

/** Deletes the first $3 parts. $1 tenant, $2 file. */
export const deleteVectorParts = statement(
  'search.delete_vector_parts',
  `delete from vector_parts where tenant_id = $1 and file_id = $2 and first_index in
     (select first_index from vector_parts where tenant_id = $1 and file_id = $2 order by first_index limit $3)
   returning first_index`,
);

/**
 * Records the vectors of files. Changes nothing when the files neither had nor have vectors. All parts read `changed`, which waits for the
 * tenant's row, so two transactions take their locks in one order. $1 tenant. Arrays with one element per file: $2 file, $3 model,
 * $4 dimensions, $5 vectors (0: none), $6 facets (as JSON, because arrays of arrays must be rectangular), $7 number of the job, $8 fence.
 */
export const recordVectors = statement(
  'search.record_vectors',
  `with given as materialized (
     select * from unnest($2::uuid[], $3::text[], $4::int4[], $5::int4[], $6::jsonb[], $7::int8[], $8::int8[])
       as g(file_id, model, dimensions, vectors, facets, job_number, fence)
   ), had as materialized (
     select f.file_id, f.model, f.dimensions, f.vectors
       from vector_files f join given g using (file_id) where f.tenant_id = $1 and f.vectors > 0
   ), changed as (
     insert into vector_generations as t (tenant_id, generation)
     select $1, 1 where exists (select 1 from had) or exists (select 1 from given where vectors > 0)
     on conflict (tenant_id) do update set generation = t.generation + 1
     returning generation
   ), removed as (
     update vector_files f set vectors = 0, facets = '{}', generation = changed.generation, removed_at = now()
       from changed, had h
      where f.tenant_id = $1 and f.file_id = h.file_id and f.model = h.model and f.dimensions = h.dimensions
        and not exists (select 1 from given g where g.file_id = f.file_id and g.model = f.model
                                                and g.dimensions = f.dimensions and g.vectors > 0)
   ), written as (
     insert into vector_files (tenant_id, file_id, model, dimensions, generation, vectors, facets, job_number, fence)
     select $1, g.file_id, g.model, g.dimensions, changed.generation, g.vectors,
            array(select jsonb_array_elements_text(g.facets)), g.job_number, g.fence
       from given g, changed where g.vectors > 0
     on conflict (tenant_id, file_id, model, dimensions) do update
       set generation = excluded.generation, vectors = excluded.vectors, facets = excluded.facets,
           job_number = excluded.job_number, fence = excluded.fence, removed_at = null
   )
   insert into vector_sets as s (tenant_id, model, dimensions, files, vectors)
   select $1, model, dimensions, sum(files), sum(vectors)
     from (select model, dimensions, 1 as files, vectors from given where vectors > 0
           union all
           select model, dimensions, -1, -vectors from had) as difference, changed
    group by model, dimensions order by model, dimensions
   on conflict (tenant_id, model, dimensions) do update
     set files = s.files + excluded.files, vectors = s.vectors + excluded.vectors`,
);

/**
 * Deletes up to $1 records of removals of one tenant that are older than an hour. A process whose copy is older reads everything again. Locks
 * the tenant's row first, as writers do.
 */
export const forgetRemovals = statement(
  'search.forget_removed_vectors',
  `with held as materialized (
     select tenant_id from vector_generations
      where tenant_id = (select tenant_id from vector_files where removed_at < now() - interval '1 hour' order by removed_at limit 1)
        for update
   ), old as materialized (
     select f.tenant_id, f.file_id, f.model, f.dimensions, f.generation
       from held join vector_files f using (tenant_id)
      where f.removed_at < now() - interval '1 hour' limit $1 for update of f
   ), recorded as (
     update vector_generations t
        set forgotten_generation = greatest(t.forgotten_generation, (select max(generation) from old))
       from held where t.tenant_id = held.tenant_id
   )
   delete from vector_files v using old o
    where v.tenant_id = o.tenant_id and v.file_id = o.file_id and v.model = o.model and v.dimensions = o.dimensions`,
);

export interface VectorsOfFile {
  fileId: string;
  run: RunOrder;
  /** Null: the file has no vectors. */
  embedding: Embedding | null;
  facets: readonly string[];
  /** Chunks of the file. */
  chunks: number;
}

const PARTS_PER_DELETE = 64;

/** Throws BAD_REQUEST when a chunk has no vector. */
export async function insertVectors(
  transaction: Transaction,
  tenantId: string,
  files: readonly { fileId: string; embedding: Embedding; chunks: readonly ChunkLine[] }[],
): Promise<void> {
  const parts = files.flatMap(({ fileId, embedding, chunks }) =>
    vectorParts(chunks, embedding.dimensions).map((part) => ({ fileId, ...part })),
  );
  if (parts.length === 0) return;
  await transaction.query(insertVectorParts, [
    tenantId,
    textArray(parts.map(({ fileId }) => fileId)),
    numberArray(parts.map(({ firstIndex }) => firstIndex)),
    bytesArray(parts.map(({ vectors }) => vectors)),
    bytesArray(parts.map(({ codes }) => codes)),
  ]);
}

export async function deleteVectors(transaction: Transaction, tenantId: string, fileId: string): Promise<void> {
  for (;;) {
    const deleted = await transaction.query(deleteVectorParts, [tenantId, fileId, PARTS_PER_DELETE]);
    if (deleted.length < PARTS_PER_DELETE) return;
  }
}

/**
 * Records which vectors the files have now. It must be the transaction's last statement: until the commit, it delays other writers of
 * vectors of the tenant. A transaction for several tenants records them in the order of their ids.
 */
export async function recordFiles(
  transaction: Transaction,
  tenantId: string,
  files: readonly VectorsOfFile[],
): Promise<void> {
  if (files.length === 0) return;
  const counts = files.map(({ embedding, chunks }) => (embedding === null ? 0 : chunks));
  await transaction.query(recordVectors, [
    tenantId,
    textArray(files.map(({ fileId }) => fileId)),
    textArray(files.map(({ embedding }) => embedding?.model ?? '')),
    numberArray(files.map(({ embedding }) => embedding?.dimensions ?? 0)),
    numberArray(counts),
    textArray(files.map(({ facets }) => JSON.stringify(facets))),
    numberArray(files.map(({ run }) => run.jobNumber)),
    numberArray(files.map(({ run }) => run.fence)),
  ]);
}
