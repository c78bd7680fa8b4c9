// Lists files by keyset paging over four sort keys, in both directions. Space and status lead the index of each order. No such
// index has metadata or search, and a planner does not know how many files of a tenant match. So a list with metadata first
// samples a few files in order. If they promise a full page, it reads on. Otherwise it begins with the index of the filter, if
// that has few matches. A list with search begins with its index (search-list.service.ts). In the other cases the files are read
// in order. A page skips files that do not match and files of deleted spaces, up to a bound.
import { Database, type Queryable } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { collectStatement } from './file-list-collect.statement.js';
import { namedStatement } from './file-list-named.statement.js';
import { skippingStatement } from './file-list-skipping.statement.js';
import { uncounted, walkStatement, type ContentFilter, type ListQuery, type Sql } from './file-list.statements.js';
import type { ListedFileRow } from './file.rows.js';

/** No list has more files. The largest page of the API is smaller. */
export const LISTED_MAX = 500;
/** If 1 file in 5 matches, so many files fill a page. */
const SAMPLE_WALK_MAX = 250;
/** A page reads at most so many files while it skips files that are not listed. */
export const SKIP_MAX = 20_000;
/** The same limit if the name of each file is looked up. */
export const SEARCHED_SKIP_MAX = 5_000;
/**
 * One statement reads at most so many of them. With more, the planner could sort all files of a space that has more files than
 * most.
 */
export const SKIP_WALK_MAX = 1_000;

export interface FoundFiles {
  files: ListedFileRow[];
  /** Where the next page begins, however few files were found. Null after the last file. */
  after: NonNullable<ListQuery['after']> | null;
  /** The filters that have many matches, as far as they were counted. The next page needs them. */
  many: readonly ContentFilter[];
}

type WalkedRow = Omit<ListedFileRow, 'space'> & { space: string | null };
type SkippingRow = ListedFileRow & { is_match: boolean; is_last: boolean };
type CollectedRow = ListedFileRow & { many: ContentFilter[] };

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

const foundIn = ({ many = [] }: ListQuery, files: ListedFileRow[], after?: ListQuery['after']): FoundFiles => ({
  files,
  after: after ?? null,
  many,
});

@Injectable()
export class FileListStore {
  constructor(@Inject(Database) private readonly database: Queryable) {}

  /** Returns the first `limit` files that match, in order. There are fewer at the end, or when `after` is set. */
  async list(query: ListQuery): Promise<FoundFiles> {
    const { externalIds } = query;
    if (externalIds !== undefined)
      return foundIn(query, await this.run<ListedFileRow>(namedStatement(query, externalIds)));
    if (query.search !== undefined) return this.collect(query);
    return query.metadata === undefined ? this.walk(query) : this.sample(query);
  }

  private async walk(query: ListQuery): Promise<FoundFiles> {
    const walked = await this.run(walkStatement(query, LISTED_MAX));
    return walked.every(isVisible) ? foundIn(query, walked) : this.skip(query);
  }

  private async sample(query: ListQuery): Promise<FoundFiles> {
    if (uncounted(query).length === 0) return this.skip(query);
    const sample = await this.run<ListedFileRow>(walkStatement(query, SAMPLE_WALK_MAX));
    if (sample.length === query.limit) return foundIn(query, sample);
    const isPromising = sample.length * (SKIP_MAX / SAMPLE_WALK_MAX) >= 2 * query.limit;
    return isPromising ? this.skip(query) : this.collect(query);
  }

  private async collect(query: ListQuery): Promise<FoundFiles> {
    if (uncounted(query).length === 0) return this.skip(query);
    const rows = await this.run<CollectedRow>(collectStatement(query));
    const counted = { ...query, many: [...(query.many ?? []), ...(rows[0]?.many ?? [])] };
    if (uncounted(counted).length === 0) return this.skip(counted);
    const files = rows.filter(({ id }) => id !== null).map(({ many: _many, ...file }) => file);
    return foundIn(counted, files);
  }

  private async skip(query: ListQuery): Promise<FoundFiles> {
    const files: ListedFileRow[] = [];
    let { after } = query;
    const walksMax = (query.search ? SEARCHED_SKIP_MAX : SKIP_MAX) / SKIP_WALK_MAX;
    for (let walks = 0; walks < walksMax; walks++) {
      const rest = { ...query, after, limit: query.limit - files.length };
      const rows = await this.run<SkippingRow>(skippingStatement(rest, SKIP_WALK_MAX));
      for (const { is_match: isMatch, is_last: _isLast, ...file } of rows) if (isMatch) files.push(file);
      const last = rows.at(-1);
      if (files.length >= query.limit || !last?.is_last) return foundIn(query, files);
      after = [sortValue(last, query.sortBy), last.id];
    }
    return foundIn(query, files, after);
  }

  private run<Row extends WalkedRow = WalkedRow>({ statement, values }: Sql): Promise<Row[]> {
    return this.database.query<Row>(statement, values);
  }
}
