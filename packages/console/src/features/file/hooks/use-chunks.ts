import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { chunksQuery, type Chunk } from '../queries.js';

/** The chunks of a file that are loaded. More are loaded until the selected one is among them. */
export function useChunks(fileId: string, selected: number | undefined, isEnabled = true) {
  const query = useInfiniteQuery({ ...chunksQuery(useKiln(), fileId), enabled: isEnabled });
  const chunks: readonly Chunk[] = query.data?.pages.flatMap((page) => page.chunks) ?? [];
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const isMissing = selected !== undefined && (chunks.at(-1)?.index ?? -1) < selected;
  useEffect(() => {
    if (isMissing && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isMissing, hasNextPage, isFetching, isError, fetchNextPage]);
  return { ...query, chunks };
}
