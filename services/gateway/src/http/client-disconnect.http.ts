// Stops work whose caller has disconnected.
import { badRequest } from '@kiln/contracts';
import type { Request } from 'express';

/**
 * The signal aborts when the caller disconnects before its response is complete. The reason is an error that is not logged as a
 * fault.
 */
export function clientDisconnect({ res: response }: Pick<Request, 'res'>): AbortSignal {
  const left = new AbortController();
  const abort = () => left.abort(badRequest('The caller disconnected.'));
  if (!response || response.destroyed) abort();
  else response.once('close', () => void (response.writableFinished || abort()));
  return left.signal;
}
