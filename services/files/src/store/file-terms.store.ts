// What the list's search looks in: one narrow row per file. The row comes with the file, its words with the markdown.
import { statement, type Queryable } from '@kiln/platform';
import { foldName } from '../domain/search-terms.js';
import type { FileRow } from './file.rows.js';

/** The file's row is there already, unless a release that knew no terms has made the file. */
const put = statement(
  'file_terms.put_words',
  `insert into file_terms (tenant_id, file_id, name, words) values ($1, $2, $3, $4)
   on conflict (tenant_id, file_id) do update set words = excluded.words`,
);

export class FileTermsStore {
  /** Replaces the words by which the file's content is found. */
  async putWords(transaction: Queryable, file: FileRow, words: string[]): Promise<void> {
    await transaction.query(put, [file.tenant_id, file.id, foldName(file.filename), words]);
  }
}
