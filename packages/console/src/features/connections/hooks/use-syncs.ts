// The syncs of a connection, the progress of the one that is under way, and what can be done with it.
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../../../api/error-text.js';
import { useKiln } from '../../../api/kiln-context.js';
import { useLiveEvents } from '../../../api/use-live-events.js';
import { showToast } from '../../../ui/toasts.js';
import { isUnderWay } from '../lib/sync-texts.js';
import { connectionKeys, progressQuery, syncsQuery } from '../queries.js';

export function useSyncs(id: string) {
  const kiln = useKiln();
  const cache = useQueryClient();
  const refresh = () => cache.invalidateQueries({ queryKey: connectionKeys.all });
  const onError = async (error: unknown) => {
    showToast(errorText(error).detail, 'failed');
    await refresh();
  };
  const history = useInfiniteQuery(syncsQuery(kiln, id));
  const newest = history.data?.pages[0]?.syncs[0];
  // The response waits for the end of a short sync.
  const start = useMutation({
    mutationFn: (force: boolean) => kiln.connections.startSync(id, { force }),
    onSuccess: refresh,
    onError,
  });
  const cancel = useMutation({
    mutationFn: () => kiln.connections.cancelSync(id),
    onSuccess: async () => {
      showToast('The sync is cancelled.');
      await refresh();
    },
    onError,
  });
  useLiveEvents((event) => {
    const isEnd = event.type === 'connection.synced' || event.type === 'connection.sync.failed';
    if (isEnd && event.data.connection_id === id) void refresh();
  });
  const isRunning = start.isPending || (newest !== undefined && isUnderWay(newest));
  const { data } = useQuery({ ...progressQuery(kiln, id), enabled: isRunning });
  // The progress may still be that of the sync before.
  const progress = isRunning && data && isUnderWay(data) ? data : null;
  return { history, newest, start, cancel, isRunning, progress };
}
