// Reads the changes of a tenant's vectors since a generation, in batches. Indexes that are derived from the vectors use it to stay up to
// date.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { Changes, FileChange } from './changes.domain.js';
import type { VectorSet } from './vector-index.port.js';

interface Row {
  generation: number;
  forgotten_generation: number;
  file_generation: number | null;
  file_id: string;
  vectors: number;
  facets: string[];
  job_number: number;
  fence: number;
  first_index: number | null;
  codes: Buffer | null;
  part_vectors: number;
}

/** A row has up to 64 KiB. */
const ROWS_PER_BATCH = 64;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const LAST_INDEX = 2_147_483_647;

/**
 * A keyset batch: the next rows of a set's changes, in the order of their generation. Returns one row without a file when no change is left.
 * $1 tenant, $2 model, $3 dimensions. The last row read: $4 generation, $5 file, $6 first index. $7 removals up to this generation are left
 * out, $8 limit.
 */
export const readChanges = statement(
  'search.read_vector_changes',
  `select t.generation, t.forgotten_generation, c.*
     from vector_generations t
     left join lateral (
       select f.generation as file_generation, f.file_id, f.vectors, f.facets, f.job_number, f.fence, p.first_index, p.codes,
              (octet_length(p.codes) / ($3 + 4))::int4 as part_vectors
         from vector_files f
         left join vector_parts p on p.tenant_id = $1 and p.file_id = f.file_id and f.vectors > 0
        where f.tenant_id = $1 and f.model = $2 and f.dimensions = $3 and (f.generation, f.file_id) >= ($4::int8, $5::uuid)
          and ((f.generation, f.file_id) > ($4::int8, $5::uuid) or p.first_index > $6::int4)
          and (f.vectors > 0 or f.generation > $7::int8)
        order by f.generation, f.file_id, p.first_index
        limit $8
     ) c on true
    where t.tenant_id = $1`,
);

@Injectable()
export class VectorFeed {
  constructor(private readonly database: Database) {}

  /** `since` is the generation of the copy. 0 when it is empty. */
  async *changes({ tenantId, model, dimensions }: VectorSet, since: number): AsyncGenerator<Changes> {
    let isFromStart = since === 0;
    // An empty copy has nothing to remove until its first batch is read.
    let removalsFrom = isFromStart ? Number.MAX_SAFE_INTEGER : 0;
    let position: [number, string, number] = [since, LAST_ID, LAST_INDEX];
    let open: OpenFile | null = null;
    let isReset = false;
    for (;;) {
      const values = [tenantId, model, dimensions, ...position, removalsFrom, ROWS_PER_BATCH];
      const rows = await this.database.query<Row>(readChanges, values);
      const [first] = rows;
      if (!isFromStart && first && first.forgotten_generation > since) {
        [isFromStart, isReset, open, position] = [true, true, null, [0, LAST_ID, LAST_INDEX]];
        removalsFrom = Number.MAX_SAFE_INTEGER;
        continue;
      }
      if (isFromStart) removalsFrom = Math.min(removalsFrom, first?.generation ?? 0);
      const files: FileChange[] = [];
      for (const row of rows) {
        if (row.file_generation === null) break;
        if (open?.change.fileId !== row.file_id || open.change.generation !== row.file_generation) open = openFile(row);
        if (addRow(open, row)) files.push(open.change);
        position = [row.file_generation, row.file_id, row.first_index ?? LAST_INDEX];
      }
      const isLast = rows.length < ROWS_PER_BATCH;
      // The last generation may have more rows.
      yield { isReset, files, generation: isLast ? (first?.generation ?? since) : position[0] - 1 };
      if (isLast) return;
      isReset = false;
    }
  }
}

/** A file of which more rows may follow. When it changes meanwhile, it follows again with all its rows. */
interface OpenFile {
  change: FileChange;
  missing: number;
}

function openFile({ file_generation, file_id, vectors, facets, job_number, fence }: Row): OpenFile {
  const generation = file_generation ?? 0;
  const change = { fileId: file_id, jobNumber: job_number, fence, generation, facets, parts: [] };
  return { change, missing: vectors };
}

/** Returns true when the file is complete. */
function addRow(open: OpenFile, { first_index: firstIndex, codes, part_vectors: vectors }: Row): boolean {
  if (firstIndex !== null && codes !== null) {
    open.change.parts.push({ firstIndex, codes });
    open.missing -= vectors;
  }
  return open.missing === 0;
}
