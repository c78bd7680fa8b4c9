// The list of files: keyset paging over four sort keys both ways. Space and status lead the indexes of each order. Metadata and
// search are in none, and how many files match them differs between tenants, which no planner knows: so a list that
// filters by them looks at a bounded number of files in order first, which fills the page when many match. When that
// was not enough, it counts how many match, to a bound: few are collected by their own indexes and sorted, for many it looks further.
// Only matches that are many and lie far from the page's begin are all collected.
import { LIMIT_MAX } from '@kiln/contracts';
import type { Queryable } from '@kiln/platform';
import { collectStatement, countStatement, walkStatement, type ListQuery, type Sql } from './file-list.statements.js';
import type { FileRow } from './file.rows.js';

/** More than any page asks for. */
const PAGE_WALK_MAX = LIMIT_MAX + 1;
/** A filter that lets through more than 1 in 40 fills a page of 50 with these; they cost a few milliseconds. */
const METADATA_WALK_MAX = 2_000;
/** Fewer, since each may have to be unpacked with all of its words. */
const SEARCH_WALK_MAX = 250;

/** Collecting and sorting these takes about as long as walking those. */
const COLLECT_MAX = 10_000;
const DEEP_WALK_MAX = 20_000;

/** The value that `after` holds for a row under this sort. */
export function sortValue(row: FileRow, sortBy: ListQuery['sortBy']): string | number {
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

function walkMaxOf({ metadata, search }: ListQuery): number {
  if (search !== undefined) return SEARCH_WALK_MAX;
  return metadata === undefined ? PAGE_WALK_MAX : METADATA_WALK_MAX;
}

export class FileListStore {
  constructor(private readonly database: Queryable) {}

  /** The first `limit` files that match, in order. */
  async list(query: ListQuery): Promise<FileRow[]> {
    const walkMax = walkMaxOf(query);
    const rows = await this.run(walkStatement(query, walkMax));
    if (walkMax === PAGE_WALK_MAX || rows.length === query.limit) return rows;
    if (await this.hasMany(query)) {
      const more = await this.run(walkStatement(query, DEEP_WALK_MAX, true));
      if (more.length === query.limit) return more;
    }
    return this.run(collectStatement(query));
  }

  private async hasMany(query: ListQuery): Promise<boolean> {
    const { statement, values } = countStatement(query, COLLECT_MAX);
    const [row] = await this.database.query<{ matches: number }>(statement, values);
    return (row?.matches ?? 0) >= COLLECT_MAX;
  }

  private run({ statement, values }: Sql): Promise<FileRow[]> {
    return this.database.query<FileRow>(statement, values);
  }
}
