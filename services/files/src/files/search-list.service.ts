// Lists the files whose name contains a text, or whose content has all of its words. The search service knows the contents. It names the
// files that match, unless they are too many. Files are read in order, part by part, and those that match are kept:
//
//   named      when the first parts do not promise a page, one statement begins with the index of names and the named files
//   too many   search is asked which files of each part match. A page ends after a bounded number of parts, full or not
import { CANDIDATES_PER_CALL_MAX, type CallContext } from '@kiln/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { ContentMatches } from './content-matches.adapter.js';
import { foldName, type NameTerms } from './name-terms.domain.js';
import type { ListQuery } from './file-list.statements.js';
import { FileListStore, LISTED_MAX, sortValue, type FoundFiles } from './file-list.store.js';
import type { ListedFileRow } from './file.rows.js';

/** One list of the store makes the files of a part, and one call to the search service names the matches among them. */
export const PART_SIZE = Math.min(LISTED_MAX, CANDIDATES_PER_CALL_MAX);
/** If 1 file in 100 has the name, so many files fill a page. */
const PARTS_WORTH_MIN = 10;

type Unsearched = Omit<ListQuery, 'search'>;

/** The text as it was given, whose words the search service analyzes, and the text as a part of a name. */
export interface SearchedText {
  text: string;
  names: NameTerms;
}

@Injectable()
export class SearchList {
  /** The number of parts that one page reads at most. */
  partsMax = 20;

  constructor(
    private readonly lists: FileListStore,
    @Inject(ContentMatches) private readonly contents: Pick<ContentMatches, 'find' | 'among'>,
  ) {}

  /** Returns the same as `FileListStore.list`. Throws UNAVAILABLE without the search service. */
  async list(query: Unsearched, searched: SearchedText, context: CallContext): Promise<FoundFiles> {
    const part = (rest: Pick<Unsearched, 'after' | 'many'>) => this.lists.list({ ...query, ...rest, limit: PART_SIZE });
    let { after, many } = query;
    const [fileIds, first] = await Promise.all([
      this.contents.find(searched.text, query, context),
      part({ after, many }),
    ]);
    const named = fileIds && new Set(fileIds);
    const files: ListedFileRow[] = [];
    for (let parts = 1; parts <= this.partsMax; parts++) {
      const candidates = parts === 1 ? first : await part({ after, many });
      ({ many } = candidates);
      files.push(...(await this.matching(candidates.files, searched, named, context)));
      if (files.length >= query.limit) return { files: files.slice(0, query.limit), after: null, many };
      const next = endOf(candidates, query);
      if (next === null) return { files, after: null, many };
      after = next;
      // The store has skipped as many files as a page may.
      if (candidates.after !== null) break;
      if (named && files.length * this.partsWorth(named) < query.limit * parts) break;
    }
    if (fileIds) return this.lists.list({ ...query, many, search: { ...searched.names, fileIds } });
    return { files, after: after ?? null, many: many ?? [] };
  }

  /**
   * The number of parts that are read sooner than the database finds the page. To find it takes as long for 500 named files as to
   * read a part.
   */
  private partsWorth({ size }: ReadonlySet<string>): number {
    return Math.min(this.partsMax, Math.max(PARTS_WORTH_MIN, size / PART_SIZE));
  }

  private async matching(
    candidates: readonly ListedFileRow[],
    { text, names }: SearchedText,
    named: ReadonlySet<string> | null,
    context: CallContext,
  ): Promise<ListedFileRow[]> {
    const hasName = ({ filename }: ListedFileRow) => foldName(filename).includes(names.name);
    const others = candidates.filter((file) => !hasName(file)).map(({ id }) => id);
    const found = named ?? (await this.contents.among(text, others, context));
    return candidates.filter((file) => found.has(file.id) || hasName(file));
  }
}

/** Where the next part begins. Null after the last file. */
function endOf({ files, after }: FoundFiles, { sortBy }: Unsearched): FoundFiles['after'] {
  const last = files.at(-1);
  return after ?? (last && files.length === PART_SIZE ? [sortValue(last, sortBy), last.id] : null);
}
