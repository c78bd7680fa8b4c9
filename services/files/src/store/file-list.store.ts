// The list of files: keyset paging over four sort keys both ways. Space and status lead the indexes of each order. Metadata and
// search are in none, and how many files match them differs between tenants, which no planner knows: so a list that
// filters by them looks at a few files in order first, walks on where these promise a page, and else begins with the index
// of its filter.
import { LIMIT_MAX } from '@kiln/contracts';
import type { Queryable } from '@kiln/platform';
import { collectStatement } from './file-list.collect.js';
import { walkStatement, type ListQuery, type Sql } from './file-list.statements.js';
import type { ListedFileRow } from './file.rows.js';

/** More than any page asks for. */
const PAGE_WALK_MAX = LIMIT_MAX + 1;
/** Few, since each may have to be unpacked with all of its words. A filter that lets through 1 in 5 fills a page with these. */
const SAMPLE_WALK_MAX = 250;
/** Walked only where the sample promises that they fill the page. */
const LONG_WALK_MAX = 5_000;

/** The value that `after` holds for a row under this sort. */
export function sortValue(row: ListedFileRow, sortBy: ListQuery['sortBy']): string | number {
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

export class FileListStore {
  constructor(private readonly database: Queryable) {}

  /** The first `limit` files that match, in order. */
  async list(query: ListQuery): Promise<ListedFileRow[]> {
    if (query.metadata === undefined && query.search === undefined)
      return this.run(walkStatement(query, PAGE_WALK_MAX));
    const sample = await this.run(walkStatement(query, SAMPLE_WALK_MAX));
    if (sample.length === query.limit) return sample;
    if (sample.length * (LONG_WALK_MAX / SAMPLE_WALK_MAX) >= query.limit) {
      const walked = await this.run(walkStatement(query, LONG_WALK_MAX, true));
      if (walked.length === query.limit) return walked;
    }
    return this.run(collectStatement(query));
  }

  private run({ statement, values }: Sql): Promise<ListedFileRow[]> {
    return this.database.query<ListedFileRow>(statement, values);
  }
}
