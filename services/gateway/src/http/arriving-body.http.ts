// The body of a request for a handler that reads it itself. It fails when it arrives too slowly or is cut off. Its connection stays
// open for the response.
import { badRequest } from '@kiln/contracts';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { watchArrival } from './watch-arrival.http.js';

export interface ArrivalLimits {
  /** The body fails after this time in any case. Default: never. */
  timeoutMs?: number;
  /** The memory that is held for the body, which determines how fast it must arrive. */
  heldBytes: () => number;
}

export function arrivingBody(request: IncomingMessage, { timeoutMs, heldBytes }: ArrivalLimits): Readable {
  const body = new PassThrough();
  const fail = (error: Error): void => {
    request.unpipe(body);
    body.destroy(error);
  };
  const gone = (): void => fail(badRequest('The body was cut off before its end.'));
  const tooLate = (): void => fail(badRequest('The body did not arrive in time.'));
  const late = timeoutMs === undefined ? undefined : setTimeout(tooLate, timeoutMs);
  const stopWatching = watchArrival(request, fail, heldBytes);
  const onClose = (): void => void (request.complete || gone());
  body.once('close', () => {
    clearTimeout(late);
    stopWatching();
    request.off('error', gone).off('close', onClose);
    // An error without a listener would end the process.
    request.on('error', () => undefined);
  });
  request.once('error', gone).once('close', onClose);
  request.pipe(body);
  return body;
}
