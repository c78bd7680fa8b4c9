// Reads the chunks around those that were found.
import type { TextLanguage } from '@kiln/contracts';
import { Database, statement } from '@kiln/platform';
import { numberArray } from '../array-literal.rows.js';
import type { Chunk, ChunkRun } from './text-index.port.js';

/** On each side of a chunk that was found. */
const CHUNKS_PER_SIDE = 50;
/** Of all files together: about 500 chunks of the default size. To find words in them takes up to 10 ms, in Japanese 500 ms. */
const BYTES_MAX = 524_288;

interface ChunkRow {
  file_id: string;
  language: TextLanguage;
  title_text: string | null;
  index: number;
  body: string;
  start_offset: number;
  end_offset: number;
  page: number | null;
  heading_path: string[];
}

/**
 * $1 tenant. Arrays with one element per chunk that was found: $2 its file, $3 its index. $4 chunks on each side. Those nearest to a chunk
 * that was found are read first, until they have $5 bytes together.
 */
const readChunks = statement(
  'answering.read_chunks',
  `with near as (
     select distinct on (f.file_id, c.index) t.position, f.file_id, f.language, f.title_text, c.index, c.body, c.start_offset, c.end_offset,
            c.page, c.heading_path, abs(c.index - t.found) as distance
       from unnest($2::uuid[], $3::int4[]) with ordinality as t(file_id, found, position)
       join file f on f.tenant_id = $1 and f.file_id = t.file_id and f.removed_at is null
       join chunk c on c.tenant_id = $1 and c.file_id = t.file_id and c.index between t.found - $4::int4 and t.found + $4::int4
      order by f.file_id, c.index, distance
   ), sized as (
     select *, sum(octet_length(body)) over (order by distance, position, index) - octet_length(body) as before from near
   )
   select file_id, language, title_text, index, body, start_offset, end_offset, page, heading_path
     from sized where before < $5::int8 order by file_id, index`,
);

export class ChunkStore {
  constructor(private readonly database: Database) {}

  async read(tenantId: string, found: readonly { fileId: string; index: number }[]): Promise<ChunkRun[]> {
    if (found.length === 0) return [];
    const rows = await this.database.query<ChunkRow>(readChunks, [
      tenantId,
      found.map(({ fileId }) => fileId),
      numberArray(found.map(({ index }) => index)),
      CHUNKS_PER_SIDE,
      BYTES_MAX,
    ]);
    const runs: (ChunkRun & { chunks: Chunk[] })[] = [];
    for (const row of rows) {
      const run = runs.at(-1);
      const continues = run?.fileId === row.file_id && run.chunks.at(-1)?.index === row.index - 1;
      if (run && continues) run.chunks.push(chunkOf(row));
      else runs.push(runOf(row));
    }
    return runs;
  }
}

function runOf(row: ChunkRow): ChunkRun & { chunks: Chunk[] } {
  const title = row.title_text ?? '';
  // A filename has no line breaks, a title may have some.
  const filename = title.slice(title.lastIndexOf('\n') + 1);
  return { fileId: row.file_id, language: row.language, filename, title, chunks: [chunkOf(row)] };
}

const chunkOf = (row: ChunkRow): Chunk => ({
  index: row.index,
  text: row.body,
  start: row.start_offset,
  end: row.end_offset,
  page: row.page,
  headings: row.heading_path,
});
