// Lists the files that pass a filter. What they equal is part of the query, so an index finds them. Files are read in order, part by part, and
// those that pass the whole filter are kept. A page ends after a bounded number of parts, full or not.
import { equalitiesOf, type Equalities, type FileFilter } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import type { ListQuery } from './file-list.statements.js';
import { LISTED_MAX, sortValue, type FoundFiles } from './file-list.store.js';
import type { ListedFileRow } from './file.rows.js';
import { FileStore } from './file.store.js';

/** The number of parts that one page reads at most: 10,000 files. */
const PARTS_MAX = 20;
/** A part of a list with a search reads many files itself. */
const SEARCHED_PARTS_MAX = 2;

@Injectable()
export class FilteredList {
  constructor(private readonly files: FileStore) {}

  /** `list` lists files without the filter. `isSearched`: it also searches. */
  async list(
    query: ListQuery,
    filter: FileFilter,
    { isSearched, list }: { isSearched: boolean; list: (query: ListQuery) => Promise<FoundFiles> },
  ): Promise<FoundFiles> {
    const { externalIds, fileIds: _fileIds, ...equalities } = equalitiesOf(filter);
    // A search begins with its own index.
    const narrowed = { ...narrow(query, equalities), ...(!isSearched && { externalIds }) };
    const passing: ListedFileRow[] = [];
    let { after, many } = query;
    const partsMax = isSearched ? SEARCHED_PARTS_MAX : PARTS_MAX;
    for (let parts = 0; parts < partsMax; parts++) {
      const part = await list({ ...narrowed, after, many, limit: LISTED_MAX });
      ({ many } = part);
      const ids = part.files.map(({ id }) => id);
      const passed = new Set(await this.files.findPassing(query.tenantId, ids, filter));
      passing.push(...part.files.filter(({ id }) => passed.has(id)));
      if (passing.length >= query.limit) return { files: passing.slice(0, query.limit), after: null, many };
      const last = part.files.at(-1);
      const next = part.after ?? (last && ids.length === LISTED_MAX ? [sortValue(last, query.sortBy), last.id] : null);
      if (next === null) return { files: passing, after: null, many };
      after = next;
    }
    return { files: passing, after: after ?? null, many: many ?? [] };
  }
}

/** Where query and filter contradict each other, no file passes the filter. */
function narrow(query: ListQuery, { space, status, metadata }: Equalities): ListQuery {
  const both = { ...metadata, ...query.metadata };
  return {
    ...query,
    space: query.space ?? space,
    status: query.status ?? status,
    metadata: Object.keys(both).length > 0 ? both : undefined,
  };
}
