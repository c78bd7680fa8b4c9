// Reads the texts of passages and chunks.
import type { TextLanguage } from '@kiln/contracts';
import { Database, statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { numberArray } from '../array-literal.rows.js';
import type { Chunk, ChunkContent, ConsecutiveChunks, FileVersion, FoundContent } from './indexed-text.domain.js';

/** Chunks that are read on each side of a chunk that was found. */
const CHUNKS_PER_SIDE = 50;
/**
 * The maximum bytes of all files together: about 500 chunks of the default size. Finding words in them takes up to 10 ms, in Japanese 500
 * ms.
 */
const BYTES_MAX = 524_288;

/** Some columns are null for the title of a file. */
interface ContentRow {
  body: string;
  start_offset: number | null;
  end_offset: number | null;
  page: number | null;
  heading_path: string[] | null;
  lines: number[] | null;
}

interface ChunkRow extends ContentRow {
  file_id: string;
  language: TextLanguage;
  title_text: string | null;
  index: number;
}

/**
 * A join with a budget: chunks nearest to a found chunk are read first, until they have $5 bytes together. $1 tenant. Arrays with one
 * element per found chunk: $2 its file, $3 its index. $4 chunks on each side.
 */
const readNear = statement(
  'answering.read_chunks',
  `with near as (
     select distinct on (f.file_id, c.index) t.position, f.file_id, f.language, f.title_text, c.index, c.body, c.start_offset, c.end_offset,
            c.page, c.heading_path, c.lines, abs(c.index - t.found) as distance
       from unnest($2::uuid[], $3::int4[]) with ordinality as t(file_id, found, position)
       join files f on f.tenant_id = $1 and f.file_id = t.file_id and f.removed_at is null
       join chunks c on c.tenant_id = $1 and c.file_id = t.file_id and c.index between t.found - $4::int4 and t.found + $4::int4
      order by f.file_id, c.index, distance
   ), sized as (
     select *, sum(octet_length(body)) over (order by distance, position, index) - octet_length(body) as before from near
   )
   select file_id, language, title_text, index, body, start_offset, end_offset, page, heading_path, lines
     from sized where before < $5::int8 order by file_id, index`,
);

/** $1 tenant, $2 file, $3 the index before the first one, $4 limit. */
const readFollowing = statement(
  'search.list_chunks',
  `select c.index, c.body, c.start_offset, c.end_offset, c.page, c.heading_path, c.lines
     from files f join chunks c on c.tenant_id = f.tenant_id and c.file_id = f.file_id
    where f.tenant_id = $1 and f.file_id = $2 and f.removed_at is null and c.index > $3::int4
    order by c.index limit $4`,
);

/** A passage of a merged file, whose number is never reused, or of a version of any file. */
export interface PassageKey {
  fileNumber: number | null;
  version: FileVersion | null;
  /** The place of the passage in its file: 0 is the title. */
  place: number;
}

export interface Passage extends ContentRow {
  /** Null when the file was deleted or replaced. */
  file_id: string | null;
  language: TextLanguage | null;
}

/**
 * Hot, and a join. Reads the texts of passages until they have $7 bytes together: the first rows, at least one. The file is null when it
 * was deleted or replaced since it was read. A merged file is identified by its number, which is never reused, and a file of the tail by
 * its run.
 *
 * $1 tenant. Arrays with one element per passage: $2 the number of a merged file, otherwise null; $3 id, $4 job number and $5 fence of a
 * file of the tail, otherwise null; $6 the place of the passage in its file.
 */
export const readPassages = statement(
  'search.read_passages',
  `with found as (
     select t.position, coalesce(merged.file_id, unmerged.file_id) as file_id, coalesce(merged.language, unmerged.language) as language,
            coalesce(case when t.place = 0 then coalesce(merged.title_text, unmerged.title_text) else c.body end, '') as body,
            c.start_offset, c.end_offset, c.page, c.heading_path, c.lines
       from unnest($2::int8[], $3::uuid[], $4::int8[], $5::int8[], $6::int4[])
            with ordinality as t(first_number, file_id, job_number, fence, place, position)
       left join files merged on merged.tenant_id = $1 and merged.first_number = t.first_number
       left join files unmerged on unmerged.tenant_id = $1 and unmerged.file_id = t.file_id
                             and unmerged.job_number = t.job_number and unmerged.fence = t.fence
       left join chunks c on c.tenant_id = $1 and c.file_id = coalesce(merged.file_id, unmerged.file_id) and c.index = t.place - 1
   ), sized as (
     select *, coalesce(sum(octet_length(body)) over (order by position rows between unbounded preceding and 1 preceding), 0) as before
       from found
   )
   select file_id, language, body, start_offset, end_offset, page, heading_path, lines from sized where before < $7::int8 order by position`,
);

/** Returns the texts of the first passages, until they have `bytesMax` bytes. Returns at least one, if any are given. */
export async function readTexts(
  database: Queryable,
  tenantId: string,
  passages: readonly PassageKey[],
  bytesMax = Number.MAX_SAFE_INTEGER,
): Promise<Passage[]> {
  if (passages.length === 0) return [];
  return database.query<Passage>(readPassages, [
    tenantId,
    numberArray(passages.map(({ fileNumber }) => fileNumber)),
    passages.map(({ version }) => version?.fileId ?? null),
    numberArray(passages.map(({ version }) => version?.jobNumber ?? null)),
    numberArray(passages.map(({ version }) => version?.fence ?? null)),
    numberArray(passages.map(({ place }) => place)),
    bytesMax,
  ]);
}

/** Null when the file was deleted or replaced. */
export const foundContentOf = (row: Passage): FoundContent | null =>
  row.language === null ? null : { ...contentOf(row), language: row.language };

@Injectable()
export class ChunkStore {
  constructor(private readonly database: Database) {}

  /** Returns the texts of chunks. Null where the version is not the file's current one. */
  async readTexts(
    tenantId: string,
    chunks: readonly (FileVersion & { index: number })[],
  ): Promise<(FoundContent | null)[]> {
    const keys = chunks.map((version) => ({ fileNumber: null, version, place: version.index + 1 }));
    const rows = await readTexts(this.database, tenantId, keys);
    return rows.map(foundContentOf);
  }

  /** Returns the chunks of a file whose index is above `after`, in order. */
  async readChunks(tenantId: string, fileId: string, page: { after: number; limit: number }): Promise<Chunk[]> {
    const { after, limit } = page;
    const rows = await this.database.query<ChunkRow>(readFollowing, [tenantId, fileId, after, limit]);
    return rows.map(chunkOf);
  }

  /** Returns the given chunks, and the chunks around them in their files. */
  async readAround(
    tenantId: string,
    found: readonly { fileId: string; index: number }[],
  ): Promise<ConsecutiveChunks[]> {
    if (found.length === 0) return [];
    const rows = await this.database.query<ChunkRow>(readNear, [
      tenantId,
      found.map(({ fileId }) => fileId),
      numberArray(found.map(({ index }) => index)),
      CHUNKS_PER_SIDE,
      BYTES_MAX,
    ]);
    const all: (ConsecutiveChunks & { chunks: Chunk[] })[] = [];
    for (const row of rows) {
      const last = all.at(-1);
      const continues = last?.fileId === row.file_id && last.chunks.at(-1)?.index === row.index - 1;
      if (last && continues) last.chunks.push(chunkOf(row));
      else all.push(firstOf(row));
    }
    return all;
  }
}

function firstOf(row: ChunkRow): ConsecutiveChunks & { chunks: Chunk[] } {
  const title = row.title_text ?? '';
  // A filename has no line breaks. A title may have some.
  const filename = title.slice(title.lastIndexOf('\n') + 1);
  return { fileId: row.file_id, language: row.language, filename, title, chunks: [chunkOf(row)] };
}

const chunkOf = (row: ChunkRow): Chunk => ({ index: row.index, ...contentOf(row) });

const contentOf = (row: ContentRow): ChunkContent => ({
  text: row.body,
  start: row.start_offset ?? 0,
  end: row.end_offset ?? 0,
  page: row.page,
  headings: row.heading_path ?? [],
  lines: row.lines ?? [],
});
