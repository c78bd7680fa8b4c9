import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { POLL_MS, recheckMs } from '../../../api/recheck.js';
import { useLiveEvents, useStreamState } from '../../../api/use-live-events.js';
import { useThrottled } from '../../../ui/use-throttled.js';
import { applyEvent } from '../lib/live-files.js';
import { queueQuery, recentQuery } from '../queries.js';

const QUEUE_DELAY_MS = 1_000;

/** The latest files, kept up to date by events, and read again while one is under way. Without events every few seconds. */
export function useLiveFiles() {
  const kiln = useKiln();
  const queryClient = useQueryClient();
  const stream = useStreamState();
  const query = useQuery({
    ...recentQuery(kiln),
    refetchInterval: ({ state }) => (stream === 'refused' ? POLL_MS : recheckMs(state.data ?? [], stream)),
  });
  const readQueueSoon = useThrottled(
    () => void queryClient.invalidateQueries({ queryKey: queueQuery(kiln).queryKey }),
    QUEUE_DELAY_MS,
  );
  useLiveEvents((event) => {
    queryClient.setQueryData(recentQuery(kiln).queryKey, (rows) => rows && applyEvent(rows, event));
    if (event.type !== 'job.progress') readQueueSoon();
  });
  return { ...query, stream };
}
