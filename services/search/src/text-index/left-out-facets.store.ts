// Reads the facets of a search for rare words. A facet of many files has hundreds of blocks, and such a search needs few of them. So the words
// are read first, then the blocks of the facets near their postings.
import type { Queryable } from '@kiln/platform';
import { numberArray } from '../array-literal.rows.js';
import type { IndexRange, IndexReader, IndexStart } from '../searching/domain/index-reader.js';
import { PostingCursor } from '../postings/domain/postings.js';
import { readFacets } from './read-index.statements.js';

interface FacetBlocks extends Omit<IndexRange, 'removed_windows'> {
  /** Each merge and each step of a purge changes it. */
  version: string | null;
}

/** `position`: the first facet among the terms of the reader. */
interface FacetsOfScan {
  tenantId: string;
  facets: readonly string[];
  position: number;
}

/**
 * Adds the facets to the reader. Returns false if a purge could have deleted some of them since `start` was read: then the search would lack
 * a file that was replaced.
 */
export async function addLeftOutFacets(
  database: Queryable,
  { tenantId, facets, position }: FacetsOfScan,
  start: IndexStart,
  reader: IndexReader,
): Promise<boolean> {
  const numbers = numbersIn(start);
  if (numbers.length === 0) return true;
  const values = [tenantId, facets, numberArray(numbers)];
  const [read] = await database.query<FacetBlocks>(readFacets, values);
  if (!read || read.version !== start.merged?.version) return false;
  const positions = (read.positions ?? []).map((facet) => facet + position);
  reader.readFurther({ ...read, positions, removed_windows: null });
  return true;
}

/** The numbers of the merged passages, and of files that are merged only in part: a facet is in a file's first part. */
function numbersIn({ positions, firsts, counts, postings, tail }: IndexStart): number[] {
  const lines = postings?.split('\n') ?? [];
  const lists = (positions ?? []).map((_, at) => ({
    first: firsts?.[at] ?? 0,
    count: counts?.[at] ?? 0,
    data: lines[at] ?? '',
  }));
  const numbers = new Set((tail ?? []).flatMap(({ first_number: first }) => first ?? []));
  for (const list of lists) {
    const cursor = new PostingCursor([list]);
    for (; cursor.number < Number.POSITIVE_INFINITY; cursor.advance()) numbers.add(cursor.number);
  }
  return [...numbers];
}
