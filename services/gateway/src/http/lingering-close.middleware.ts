// A response, mostly a refusal, may be sent before the body of the request has arrived. Closing the connection at once would reset it, and
// a caller that is still sending would lose the response. Reading without a limit would let callers send bytes for ever.
import type { RequestStep } from './request-steps.middleware.js';

const LINGER_MS = 5_000;

/** After the response, discards what still arrives for a while; then closes the connection. */
export const lingeringClose: RequestStep = (request, response) => {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    const timer = setTimeout(() => request.socket.destroy(), LINGER_MS);
    timer.unref();
    request.once('end', () => clearTimeout(timer));
    request.once('close', () => clearTimeout(timer));
    request.resume();
  });
};
