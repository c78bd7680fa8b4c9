// The syncs of a connection, the progress of the running sync, and the actions on it.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { useLiveEvents } from '../../../api/use-live-events.js';
import { useAction } from '../../../ui/use-action.js';
import { isUnderWay } from '../lib/sync-texts.js';
import { connectionKeys, progressQuery, syncsQuery } from '../queries.js';

export function useSyncs(id: string) {
  const kiln = useKiln();
  const cache = useQueryClient();
  const history = useInfiniteQuery(syncsQuery(kiln, id));
  const newest = history.data?.pages[0]?.syncs[0];
  const shared = { refresh: connectionKeys.all, isFailureShown: true };
  // The response waits for the end of a short sync.
  const start = useAction({ run: (_kiln, force: boolean) => kiln.connections.startSync(id, { force }), ...shared });
  const cancel = useAction({
    run: () => kiln.connections.cancelSync(id),
    done: 'The sync is cancelled.',
    ...shared,
  });
  useLiveEvents((event) => {
    const isEnd = event.type === 'connection.synced' || event.type === 'connection.sync.failed';
    if (isEnd && event.data.connection_id === id) void cache.invalidateQueries({ queryKey: connectionKeys.all });
  });
  const isRunning = start.isPending || (newest !== undefined && isUnderWay(newest));
  const { data } = useQuery({ ...progressQuery(kiln, id), enabled: isRunning });
  // The server may still return the progress of the sync before.
  const progress = isRunning && data && isUnderWay(data) ? data : null;
  return { history, newest, start, cancel, isRunning, progress };
}
