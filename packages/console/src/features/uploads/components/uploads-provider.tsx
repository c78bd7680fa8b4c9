// One queue for all pages.
import { Kiln } from '@kiln/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, type ReactNode } from 'react';
import { useConnection } from '../../../api/kiln-context.js';
import { sendWithProgress } from '../../../api/send-with-progress.js';
import { useStore } from '../../../api/use-store.js';
import { plural } from '../../../ui/formats.js';
import { showToast } from '../../../ui/toasts.js';
import { guardDrops } from '../lib/guard-drops.js';
import { sendFile } from '../lib/send-file.js';
import { UploadQueue, type QueueState, type Send } from '../lib/upload-queue.js';

const UploadsContext = createContext<UploadQueue | null>(null);

export function UploadsProvider({ children }: { children: ReactNode }) {
  const { session } = useConnection();
  const queryClient = useQueryClient();
  const queue = useMemo(() => {
    const send: Send = (file, onSent, signal) => {
      const kiln = new Kiln({ baseUrl: location.origin, apiKey: session.apiKey, fetch: sendWithProgress(onSent) });
      return sendFile(kiln, file, signal);
    };
    return new UploadQueue(send, ({ counts }) => {
      void queryClient.invalidateQueries({ queryKey: ['files'] });
      if (counts.failed > 0) showToast(`${plural(counts.failed, 'file')} could not be uploaded.`, 'failed');
      else showToast(`${plural(counts.stored, 'file')} uploaded.`);
    });
  }, [session, queryClient]);
  // The end of the session ends the uploads that use its key.
  useEffect(() => () => queue.clear(), [queue]);
  useEffect(guardDrops, []);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      const { waiting, sending } = queue.state.get().counts;
      if (waiting + sending > 0) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [queue]);
  return <UploadsContext value={queue}>{children}</UploadsContext>;
}

export function useUploads(): UploadQueue {
  const queue = useContext(UploadsContext);
  if (!queue) throw new Error('useUploads is used outside of UploadsProvider');
  return queue;
}

export const useUploadState = (): QueueState => useStore(useUploads().state);
