// Lists files by keyset paging over four sort keys, in both directions. Space and status lead the index of each order. Metadata
// and search are in none of them, and a planner does not know how many files of a tenant match. So a list with metadata first
// samples a few files in order, reads on if they promise a full page, and otherwise begins with the index of the filter. A list with
// search begins with its index: see search-list.ts. Files of deleted spaces are skipped, a bounded number per page.
import { Database, type Queryable } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { collectStatement } from './file-list.collect.js';
import { skippingStatement } from './file-list.skipping.js';
import { walkStatement, type ListQuery, type Sql } from './file-list.statements.js';
import type { ListedFileRow } from './file.rows.js';

/** The most files of one list. More than the largest page of the API. */
export const LISTED_MAX = 500;
/** With 1 match in 5 these fill a page. */
const SAMPLE_WALK_MAX = 250;
/** Read only if the sample promises that they fill the page. */
const LONG_WALK_MAX = 5_000;
/** Most files that a page reads while it skips those of deleted spaces. */
export const SKIP_MAX = 20_000;

export interface FoundFiles {
  files: ListedFileRow[];
  /** Where the next page begins, however few files were found. Null: after the last file. */
  after: NonNullable<ListQuery['after']> | null;
}

type WalkedRow = Omit<ListedFileRow, 'space'> & { space: string | null };

const isVisible = (row: WalkedRow): row is ListedFileRow => row.space !== null;

/** The cursor value of a row under this sort. */
export function sortValue(row: Omit<ListedFileRow, 'space'>, sortBy: ListQuery['sortBy']): string | number {
  switch (sortBy) {
    case 'created_at':
      return row.created_at.toISOString();
    case 'updated_at':
      return row.updated_at.toISOString();
    case 'filename':
      return row.filename;
    case 'size_bytes':
      return row.size_bytes ?? -1;
  }
}

@Injectable()
export class FileListStore {
  constructor(@Inject(Database) private readonly database: Queryable) {}

  /** The first `limit` files that match, in order. Fewer when there are no more, or when `after` is set. */
  async list(query: ListQuery): Promise<FoundFiles> {
    if (query.metadata === undefined && query.search === undefined) return this.walk(query);
    const files = query.search === undefined ? await this.filtered(query) : await this.run(collectStatement(query));
    return { files, after: null };
  }

  private async walk(query: ListQuery): Promise<FoundFiles> {
    const walked = await this.run<WalkedRow>(walkStatement(query, LISTED_MAX));
    if (walked.every(isVisible)) return { files: walked, after: null };
    const found = await this.run<WalkedRow>(skippingStatement(query, SKIP_MAX));
    const last = found.at(-1);
    const after = last && !isVisible(last) ? ([sortValue(last, query.sortBy), last.id] as const) : null;
    return { files: found.filter(isVisible), after };
  }

  private async filtered(query: ListQuery): Promise<ListedFileRow[]> {
    const sample = await this.run(walkStatement(query, SAMPLE_WALK_MAX));
    if (sample.length === query.limit) return sample;
    if (sample.length * (LONG_WALK_MAX / SAMPLE_WALK_MAX) >= query.limit) {
      const walked = await this.run(walkStatement(query, LONG_WALK_MAX, 'long'));
      if (walked.length === query.limit) return walked;
    }
    return this.run(collectStatement(query));
  }

  private run<Row extends WalkedRow = ListedFileRow>({ statement, values }: Sql): Promise<Row[]> {
    return this.database.query<Row>(statement, values);
  }
}
