import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { recheckMs } from '../../../api/recheck.js';
import { useLiveEvents, useStreamState } from '../../../api/use-live-events.js';
import { useThrottled } from '../../../ui/use-throttled.js';
import { fileKeys, fileQuery } from '../queries.js';

const READ_DELAY_MS = 500;

/** The file, read again when an event concerns it, and every few seconds while it is processed. */
export function useFile(id: string) {
  const kiln = useKiln();
  const queryClient = useQueryClient();
  const stream = useStreamState();
  const query = useQuery({
    ...fileQuery(kiln, id),
    refetchInterval: ({ state: { data } }) => data !== undefined && recheckMs([data], stream),
  });
  const readProgressSoon = useThrottled(() => {
    void queryClient.invalidateQueries({ queryKey: fileKeys.summary(id) });
    void queryClient.invalidateQueries({ queryKey: fileKeys.jobs(id) });
  }, READ_DELAY_MS);
  const readAllSoon = useThrottled(
    () => void queryClient.invalidateQueries({ queryKey: fileKeys.one(id) }),
    READ_DELAY_MS,
  );
  useLiveEvents((event) => {
    if (!('file_id' in event.data) || event.data.file_id !== id) return;
    if (event.type === 'job.progress') readProgressSoon();
    else readAllSoon();
  });
  return query;
}
