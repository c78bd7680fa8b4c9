import type { Kiln } from '@kiln/sdk';
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { errorText } from '../api/error-text.js';
import { useKiln } from '../api/kiln-context.js';
import { showToast } from './toasts.js';

interface Action<Sent, Result> {
  run: (kiln: Kiln, sent: Sent) => PromiseLike<Result>;
  /** The message when it is done. */
  done?: string | ((result: Result) => string);
  onDone?: (result: Result, sent: Sent) => void;
  /** The key of the queries that are read again at its end. */
  refresh?: QueryKey;
  /** Whether a message says why it failed. Otherwise the caller shows `error`. */
  isFailureShown?: boolean;
}

/** A request that changes something. What is sent and returned is forgotten with the component: it may be a secret. */
export function useAction<Result, Sent = void>(action: Action<Sent, Result>) {
  const { run, done, onDone, refresh, isFailureShown = false } = action;
  const kiln = useKiln();
  const cache = useQueryClient();
  const readAgain = async () => {
    if (refresh) await cache.invalidateQueries({ queryKey: refresh });
  };
  return useMutation<Result, Error, Sent>({
    mutationFn: async (sent) => run(kiln, sent),
    gcTime: 0,
    onSuccess: async (result, sent) => {
      if (done !== undefined) showToast(typeof done === 'string' ? done : done(result));
      onDone?.(result, sent);
      await readAgain();
    },
    onError: (error) => {
      if (isFailureShown) showToast(errorText(error).detail, 'failed');
      // The error is shown before the queries are read: the server may be away.
      void readAgain();
    },
  });
}
