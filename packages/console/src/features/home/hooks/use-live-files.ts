import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { useLiveEvents, useStreamState } from '../../../api/use-live-events.js';
import { useThrottled } from '../../../ui/use-throttled.js';
import { applyEvent } from '../lib/live-files.js';
import { queueQuery, recentQuery } from '../queries.js';

const POLL_MS = 5_000;
const QUEUE_DELAY_MS = 1_000;

/** The latest files, kept up to date by events. Without the scope for events they are read again every few seconds. */
export function useLiveFiles() {
  const kiln = useKiln();
  const queryClient = useQueryClient();
  const stream = useStreamState();
  const query = useQuery({ ...recentQuery(kiln), refetchInterval: stream === 'refused' ? POLL_MS : false });
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
