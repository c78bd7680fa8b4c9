// Filters are looked up like words. Each property of a file that a search can filter by is a term, called a facet. The file has one posting
// of each facet. The posting's number is the file's first number, and its length is the count of the file's numbers.
import { createHash } from 'node:crypto';
import { cleanRecord, mediaType } from '../../analysis/domain/clean-text.js';
import type { FileProperties, SearchFilter } from '../../text-index/indexed-text.domain.js';

/** No word begins with this character. */
const FACET_MARK = '#';

/** The value is hashed, because it may be longer than PostgreSQL allows for an index key. JSON keeps the parts distinct. */
function facet(...parts: string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest();
  return FACET_MARK + hash.subarray(0, 16).toString('base64url');
}

export const isFacet = (term: string) => term.startsWith(FACET_MARK);

export function facetsOf({ space, contentType, metadata }: FileProperties): string[] {
  return facetsOfFilter({ space, contentType: contentType ?? undefined, metadata });
}

/** A file passes the filter when it has all of these facets. */
export function facetsOfFilter({ space, contentType, metadata = {} }: SearchFilter): string[] {
  return [
    ...(space === undefined ? [] : [facet('space', space)]),
    ...(contentType === undefined ? [] : [facet('content_type', mediaType(contentType))]),
    ...Object.entries(cleanRecord(metadata)).map(([key, value]) => facet('metadata', key, value)),
  ];
}
