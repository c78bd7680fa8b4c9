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

/** The columns of a chunk, as `ChunkContent`. Some of them are null for the title of a file. */
const CONTENT = `body as text, coalesce(start_offset, 0) as start, coalesce(end_offset, 0) as "end", page,
          coalesce(heading_path, '{}') as headings, coalesce(lines, '{}') as lines`;

interface ChunkOfFile extends Chunk {
  fileId: string;
  language: TextLanguage;
  title: string;
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
   select file_id as "fileId", language, coalesce(title_text, '') as title, index, ${CONTENT}
     from sized where before < $5::int8 order by file_id, index`,
);

/** $1 tenant, $2 file, $3 the index before the first one, $4 limit. */
const readFollowing = statement(
  'search.list_chunks',
  `select c.index, ${CONTENT}
     from files f join chunks c on c.tenant_id = f.tenant_id and c.file_id = f.file_id
    where f.tenant_id = $1 and f.file_id = $2 and f.removed_at is null and c.index > $3::int4
    order by c.index limit $4`,
);

const countChunks = statement(
  'search.count_chunks',
  'select chunks from files where tenant_id = $1 and file_id = $2 and removed_at is null',
);
const CHUNKS_PER_READ = 500;

/** A passage of a merged file, whose number is never reused, or of a version of any file. */
interface PassageKey {
  fileNumber: number | null;
  version: FileVersion | null;
  /** The place of the passage in its file: 0 is the title. */
  place: number;
}

/** The file and the language are null when the file was deleted or replaced. */
export type Passage = ChunkContent & ({ fileId: string; language: TextLanguage } | { fileId: null; language: null });

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
   select file_id as "fileId", language, ${CONTENT} from sized where before < $7::int8 order by position`,
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
    return rows.map((row) => (row.fileId === null ? null : row));
  }

  /** Returns the chunks of a file whose index is above `after`, in order. */
  async readChunks(tenantId: string, fileId: string, page: { after: number; limit: number }): Promise<Chunk[]> {
    const { after, limit } = page;
    return this.database.query<Chunk>(readFollowing, [tenantId, fileId, after, limit]);
  }

  /** Returns all chunks of a file, in order. Null unless its index has so many. */
  async readAll(tenantId: string, fileId: string, count: number): Promise<AsyncIterable<Chunk> | null> {
    const [file] = await this.database.query<{ chunks: number }>(countChunks, [tenantId, fileId]);
    return file?.chunks === count ? this.following(tenantId, fileId) : null;
  }

  private async *following(tenantId: string, fileId: string): AsyncGenerator<Chunk> {
    for (let after: number | undefined = -1; after !== undefined;) {
      const chunks: Chunk[] = await this.readChunks(tenantId, fileId, { after, limit: CHUNKS_PER_READ });
      yield* chunks;
      after = chunks.length < CHUNKS_PER_READ ? undefined : chunks.at(-1)?.index;
    }
  }

  /** Returns the given chunks, and the chunks around them in their files. */
  async readAround(
    tenantId: string,
    found: readonly { fileId: string; index: number }[],
  ): Promise<ConsecutiveChunks[]> {
    if (found.length === 0) return [];
    const rows = await this.database.query<ChunkOfFile>(readNear, [
      tenantId,
      found.map(({ fileId }) => fileId),
      numberArray(found.map(({ index }) => index)),
      CHUNKS_PER_SIDE,
      BYTES_MAX,
    ]);
    const all: (ConsecutiveChunks & { chunks: Chunk[] })[] = [];
    for (const chunk of rows) {
      const { fileId, language, title, index } = chunk;
      const last = all.at(-1);
      if (last?.fileId === fileId && last.chunks.at(-1)?.index === index - 1) last.chunks.push(chunk);
      else all.push({ fileId, language, filename: filenameIn(title), title, chunks: [chunk] });
    }
    return all;
  }
}

/** A filename has no line breaks. A title may have some. */
const filenameIn = (title: string) => title.slice(title.lastIndexOf('\n') + 1);
