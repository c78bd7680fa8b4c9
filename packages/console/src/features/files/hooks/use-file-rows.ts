// The rows that are loaded, kept up to date by events. Statuses change in place. A list of one page is read again; in a longer one, new
// files are counted until the user wants them.
import type { Schemas, StreamedEvent } from '@kiln/sdk';
import { useInfiniteQuery, useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { spacesQuery } from '../../../api/spaces.js';
import { useLiveEvents, useStreamState } from '../../../api/use-live-events.js';
import { useThrottled } from '../../../ui/use-throttled.js';
import type { FileRow } from '../lib/bulk.js';
import { mayShow, type FilesSearch } from '../lib/files-search.js';
import { filesKeys, filesQuery } from '../queries.js';

const REFRESH_MS = 1_000;

type FilesPage = Schemas['ListFilesResponse'];

export function useFileRows(search: FilesSearch) {
  const kiln = useKiln();
  const queryClient = useQueryClient();
  const options = filesQuery(kiln, search, useStreamState());
  const query = useInfiniteQuery(options);
  const spaces = useQuery(spacesQuery(kiln));
  const [newCount, setNewCount] = useState(0);
  if (newCount > 0 && query.isRefetching) setNewCount(0);
  const isShort = (query.data?.pages.length ?? 0) <= 1;
  const refreshSoon = useThrottled(() => void queryClient.invalidateQueries({ queryKey: filesKeys.all }), REFRESH_MS);
  useLiveEvents((event) => {
    if (event.type === 'file.created' || event.type === 'file.deleted') {
      if (isShort) refreshSoon();
      else if (event.type === 'file.created' && mayShow(search, event.data)) setNewCount((count) => count + 1);
      return;
    }
    const change = statusOf(event);
    if (!change) return;
    queryClient.setQueryData<InfiniteData<FilesPage, string | null>>(
      options.queryKey,
      (data) => data && withStatus(data, change),
    );
  });
  const refresh = () => queryClient.resetQueries({ queryKey: filesKeys.all });
  const rows = useMemo(() => query.data?.pages.flatMap(({ files }) => files) ?? [], [query.data]);
  const counted = spaces.data?.next_cursor === null ? spaces.data.spaces : undefined;
  const inSpaces = counted?.filter(({ space }) => search.space === undefined || space === search.space);
  const isNarrowed = search.q !== undefined || search.status !== undefined;
  const total = !query.hasNextPage
    ? rows.length
    : isNarrowed
      ? undefined
      : inSpaces?.reduce((sum, { file_count: count }) => sum + count, 0);
  return { ...query, rows, spaces: spaces.data?.spaces ?? [], total, newCount, refresh };
}

interface StatusChange {
  id: string;
  status: FileRow['status'];
}

function statusOf(event: StreamedEvent): StatusChange | null {
  if (event.type === 'file.processing.completed') return { id: event.data.file_id, status: 'completed' };
  if (event.type === 'file.processing.failed') return { id: event.data.file_id, status: 'failed' };
  if (event.type === 'job.progress') return { id: event.data.file_id, status: 'processing' };
  return null;
}

/** The same data if no row changes, so that nothing is rendered. */
function withStatus(data: InfiniteData<FilesPage, string | null>, { id, status }: StatusChange) {
  const has = ({ files }: FilesPage) => files.some((file) => file.id === id && file.status !== status);
  if (!data.pages.some(has)) return data;
  const pages = data.pages.map((page) =>
    has(page) ? { ...page, files: page.files.map((file) => (file.id === id ? { ...file, status } : file)) } : page,
  );
  return { ...data, pages };
}
