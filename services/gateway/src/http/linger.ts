// An answer may be sent before the request's body has come in (a refusal, mostly). Closing at once would destroy the answer
// on its way to a caller who is still sending; reading on for ever would let anyone pour bytes into the void.
import type { RequestStep } from './every-request.js';

const LINGER_MS = 5_000;

/** After the answer, what still comes is thrown away for a while; then the connection ends. */
export const lingerAfterAnswer: RequestStep = (request, response) => {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    const timer = setTimeout(() => request.socket.destroy(), LINGER_MS);
    timer.unref();
    request.once('end', () => clearTimeout(timer));
    request.once('close', () => clearTimeout(timer));
    request.resume();
  });
};
