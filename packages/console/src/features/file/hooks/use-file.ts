import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { useLiveEvents, useStreamState } from '../../../api/use-live-events.js';
import { useThrottled } from '../../../ui/use-throttled.js';
import { fileKeys, fileQuery, type FileDetail } from '../queries.js';

export const POLL_MS = 5_000;
/** While events arrive. The files service may receive the event after the page, so the file that was read again may be the former one. */
const RECHECK_MS = 15_000;
const READ_DELAY_MS = 500;

const isUnderWay = (file: FileDetail | undefined) => file?.status === 'processing' || file?.status === 'uploading';

/** The file, read again when an event concerns it, and every few seconds while it is processed. */
export function useFile(id: string) {
  const kiln = useKiln();
  const queryClient = useQueryClient();
  const stream = useStreamState();
  const query = useQuery({
    ...fileQuery(kiln, id),
    refetchInterval: ({ state }) => isUnderWay(state.data) && (stream === 'refused' ? POLL_MS : RECHECK_MS),
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
