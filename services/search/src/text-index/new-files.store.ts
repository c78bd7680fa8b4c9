// Writes small new files together, in one statement, and their vectors in the same transaction. A file is new when it has no row. The statement
// skips files that have one, and IndexStore then writes those one by one. A file with a refused run always has a row: see run-fence.store.ts.
//
// The rows of files are locked in the order of their ids, as removals lock them. A writer of one file locks one row. So these transactions
// cannot deadlock.
import { Database, statement, type Queryable } from '@kiln/platform';
import { tailPart, type TailPart } from './tail-part.domain.js';
import { titleText } from '../analysis/domain/passage.js';
import { numberArray, textArray } from '../array-literal.rows.js';
import { chunkColumns } from './chunk-columns.rows.js';
import { insertVectors, recordFiles } from '../vectors/write-vectors.store.js';
import type { NewFile } from './indexed-text.domain.js';
import { TAIL_ROWS_COUNTED_MAX, vectorsOf } from './index.store.js';

/**
 * Set-based and hot. Writes the files that have no row. Returns their ids, and how many passages the first $21 rows of the tenant's tail
 * had before. The rows of files are inserted in the order of their ids, and the rows of languages after them, so two calls cannot deadlock.
 *
 * $1 tenant. Arrays with one element per file: $2 id, $3 number of the job, $4 fence, $5 chunks, $6 chunks with terms, $7 their length, $8
 * titles, $9 their length, $10 data of the tail, $11 text of the title, $12 language. Arrays with one element per chunk: $13 file, from $14 on
 * `chunkColumns`.
 */
export const writeNewFiles = statement(
  'search.write_new_files',
  `with given as materialized (
     select * from unnest($2::uuid[], $3::int8[], $4::int8[], $5::int4[], $6::int8[], $7::int8[], $8::int8[], $9::int8[], $10::text[],
                          $11::text[], $12::text[])
       as g(file_id, job_number, fence, chunks, found_chunks, chunk_length, titles, title_length, data, title_text, language)
   ), written as (
     insert into files (tenant_id, file_id, job_number, fence, chunks, found_chunks, chunk_length, titles, title_length, title_text,
                       language)
     select $1, file_id, job_number, fence, chunks, found_chunks, chunk_length, titles, title_length, title_text, language
       from given order by file_id
     on conflict do nothing
     returning file_id
   ), languages as (
     insert into tenant_languages (tenant_id, language)
     select distinct $1::uuid, language from given order by language
     on conflict do nothing
   ), tails as (
     insert into tail_parts (tenant_id, file_id, part, last_place, chunks, chunk_length, titles, title_length, data, job_number, fence,
                             revision)
     select $1, file_id, 0, chunks, found_chunks, chunk_length, titles, title_length, data, job_number, fence, nextval('index_revisions')
       from given join written using (file_id)
   ), texts as (
     insert into chunks (tenant_id, file_id, index, body, start_offset, end_offset, page, heading_path, lines)
     select $1, file_id, c.index, c.body, c.start_offset, c.end_offset, c.page,
            array(select jsonb_array_elements_text(c.heading_path)), nullif(c.lines, '{}')::smallint[]
       from unnest($13::uuid[], $14::int4[], $15::text[], $16::int8[], $17::int8[], $18::int4[], $19::jsonb[], $20::text[])
              as c(file_id, index, body, start_offset, end_offset, page, heading_path, lines)
       join written using (file_id)
   )
   select coalesce((select array_agg(file_id) from written), '{}') as written,
          (select coalesce(sum(passages), 0)::int8
             from (select greatest(t.chunks + t.titles, 1) as passages from tail_parts t
                    where t.tenant_id = $1 limit $21) as tail) as unmerged`,
);

interface Prepared extends NewFile {
  tail: TailPart;
}

interface Row {
  written: string[];
  unmerged: number;
}

export class NewFilesStore {
  constructor(private readonly database: Database) {}

  /** The files must be distinct and belong to this tenant. `unmerged` is as in Replaced. */
  async write(
    tenantId: string,
    files: readonly NewFile[],
  ): Promise<{ fileIds: ReadonlySet<string>; unmerged: number }> {
    const prepared = files.map(({ file, chunks }): Prepared => ({ file, chunks, tail: tailPart(file, 0, chunks) }));
    const row = files.some(({ file }) => file.embedding !== null)
      ? await this.writeWithVectors(tenantId, prepared)
      : await writeAll(this.database, tenantId, prepared);
    const fileIds = new Set(row?.written);
    const unmerged = prepared.reduce(
      (sum, { file, tail }) => sum + (fileIds.has(file.fileId) ? passagesOf(tail) : 0),
      row?.unmerged ?? 0,
    );
    return { fileIds, unmerged };
  }

  private writeWithVectors(tenantId: string, files: readonly Prepared[]): Promise<Row | undefined> {
    return this.database.transaction(async (transaction) => {
      const row = await writeAll(transaction, tenantId, files);
      const isWritten = new Set(row?.written);
      const written = files.filter(({ file }) => isWritten.has(file.fileId));
      const embedded = written.flatMap(({ file: { fileId, embedding }, chunks }) =>
        embedding === null ? [] : [{ fileId, embedding, chunks }],
      );
      await insertVectors(transaction, tenantId, embedded);
      const vectors = written.map(({ file, chunks }) => vectorsOf(file, chunks.length));
      await recordFiles(transaction, tenantId, vectors);
      return row;
    });
  }
}

async function writeAll(database: Queryable, tenantId: string, files: readonly Prepared[]): Promise<Row | undefined> {
  const [row] = await database.query<Row>(writeNewFiles, [
    tenantId,
    textArray(files.map(({ file }) => file.fileId)),
    numberArray(files.map(({ file }) => file.run.jobNumber)),
    numberArray(files.map(({ file }) => file.run.fence)),
    numberArray(files.map(({ chunks }) => chunks.length)),
    numberArray(files.map(({ tail }) => tail.totals.chunks)),
    numberArray(files.map(({ tail }) => tail.totals.chunkLength)),
    numberArray(files.map(({ tail }) => tail.totals.titles)),
    numberArray(files.map(({ tail }) => tail.totals.titleLength)),
    textArray(files.map(({ tail }) => tail.data)),
    textArray(files.map(({ file }) => titleText(file.title, file.filename))),
    textArray(files.map(({ file }) => file.language)),
    textArray(files.flatMap(({ file, chunks }) => chunks.map(() => file.fileId))),
    ...chunkColumns(files.flatMap(({ chunks }) => chunks)),
    TAIL_ROWS_COUNTED_MAX,
  ]);
  return row;
}

/** Counts as merges do: a file without terms is one passage. */
const passagesOf = ({ totals }: TailPart) => Math.max(totals.chunks + totals.titles, 1);
