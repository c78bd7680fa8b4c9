// The filter of a request. What files equal in its JSON form is found with the index. The files service applies the rest to those that were found.
import { equalitiesOf, type FileFilter } from '@kiln/contracts';
import type { SearchFilter } from '../../text-index/indexed-text.domain.js';

interface RequestedFilter {
  space?: string | undefined;
  content_type?: string | undefined;
  metadata?: Readonly<Record<string, string>> | undefined;
  filter?: FileFilter | undefined;
}

/** Where both contradict each other, no file passes `where`. */
export function searchFilterOf({ space, content_type: contentType, metadata, filter }: RequestedFilter): SearchFilter {
  if (!filter) return { space, contentType, metadata };
  const equal = equalitiesOf(filter);
  return {
    space: space ?? equal.space,
    contentType: contentType ?? equal.content_type,
    metadata: { ...equal.metadata, ...metadata },
    where: filter,
  };
}
