// The filter of a request. What files equal in its JSON form is found with the index. The files service applies the rest to those that were found.
import { decodeId, equalitiesOf, type SearchInput } from '@kiln/contracts';
import type { SearchFilter } from '../../text-index/indexed-text.domain.js';

type RequestedFilter = Pick<SearchInput<'search'>, 'space' | 'content_type' | 'metadata' | 'filter'>;

/** Where both contradict each other, no file passes `where`. */
export function searchFilterOf({ space, content_type: contentType, metadata, filter }: RequestedFilter): SearchFilter {
  if (!filter) return { space, contentType, metadata };
  const equal = equalitiesOf(filter);
  return {
    space: space ?? equal.space,
    contentType: contentType ?? equal.content_type,
    metadata: { ...equal.metadata, ...metadata },
    fileIds: equal.fileIds?.flatMap((id) => decodeId('file', id) ?? []),
    where: filter,
  };
}
