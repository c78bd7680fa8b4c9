// The body of a request for a handler that reads it itself. It fails when it arrives too slowly or is cut off. Its connection stays
// open for the response.
import { badRequest } from '@kiln/contracts';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { watchArrival } from './watch-arrival.js';

/** Fails after `timeoutMs` in any case. */
export function arrivingBody(request: IncomingMessage, timeoutMs: number): Readable {
  const body = new PassThrough();
  const fail = (error: Error): void => {
    request.unpipe(body);
    body.destroy(error);
  };
  const gone = (): void => fail(badRequest('The body was cut off before its end.'));
  const late = setTimeout(() => fail(badRequest('The body did not arrive in time.')), timeoutMs);
  const stopWatching = watchArrival(request, fail);
  body.once('close', () => {
    clearTimeout(late);
    stopWatching();
  });
  request.once('error', gone).once('close', () => (request.complete ? undefined : gone()));
  request.pipe(body);
  return body;
}
