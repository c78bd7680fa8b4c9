// Reads the chunks around the best one of each file.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { numberArray } from '../array-literal.js';
import type { Chunk, RelevantFile } from './domain/excerpt.js';
import type { RankedForQuestion } from './question-ranking.js';

/** Of each file, on each side of its best chunk. */
const CHUNKS_PER_SIDE = 50;
/** Of all files together: about 500 chunks of the default size. To find words in them takes up to 10 ms, in Japanese 500 ms. */
const BYTES_MAX = 524_288;

interface ChunkRow {
  file_id: string;
  title_text: string | null;
  index: number;
  body: string;
  start_offset: number;
  end_offset: number;
  page: number | null;
  heading_path: string[];
}

/**
 * $1 tenant. Arrays with one element per file: $2 its id, $3 the index of its best chunk. $4 chunks on each side. Chunks nearest to the best
 * ones are read first, until they have $5 bytes together: so each file's chunks are consecutive.
 */
const readChunks = statement(
  'answering.read_chunks',
  `with near as (
     select t.position, f.file_id, f.title_text, c.index, c.body, c.start_offset, c.end_offset, c.page, c.heading_path,
            abs(c.index - t.best) as distance
       from unnest($2::uuid[], $3::int4[]) with ordinality as t(file_id, best, position)
       join file f on f.tenant_id = $1 and f.file_id = t.file_id and f.removed_at is null
       join chunk c on c.tenant_id = $1 and c.file_id = t.file_id and c.index between t.best - $4::int4 and t.best + $4::int4
   ), sized as (
     select *, sum(octet_length(body)) over (order by distance, position, index) - octet_length(body) as before from near
   )
   select file_id, title_text, index, body, start_offset, end_offset, page, heading_path
     from sized where before < $5::int8 order by position, index`,
);

@Injectable()
export class ChunkStore {
  constructor(private readonly database: Database) {}

  /** The files in the given order. A file without chunks is left out. */
  async read(tenantId: string, files: readonly RankedForQuestion[]): Promise<RelevantFile[]> {
    if (files.length === 0) return [];
    const rows = await this.database.query<ChunkRow>(readChunks, [
      tenantId,
      files.map(({ fileId }) => fileId),
      numberArray(files.map(({ chunk }) => chunk)),
      CHUNKS_PER_SIDE,
      BYTES_MAX,
    ]);
    const rowsByFile = new Map<string, ChunkRow[]>(files.map(({ fileId }) => [fileId, []]));
    for (const row of rows) rowsByFile.get(row.file_id)?.push(row);
    return files.flatMap(({ fileId, language, score, chunk: bestChunk }) => {
      const own = rowsByFile.get(fileId) ?? [];
      const title = own[0]?.title_text ?? '';
      return own.length === 0
        ? []
        : [{ fileId, language, filename: filenameOf(title), title, score, bestChunk, chunks: own.map(chunkOf) }];
    });
  }
}

/** The last line: a filename has no line breaks, a title may have some. */
const filenameOf = (titleText: string) => titleText.slice(titleText.lastIndexOf('\n') + 1);

const chunkOf = (row: ChunkRow): Chunk => ({
  index: row.index,
  text: row.body,
  start: row.start_offset,
  end: row.end_offset,
  page: row.page,
  headings: row.heading_path,
});
