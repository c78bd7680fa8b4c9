// A response, mostly a refusal, may be sent before the body of the request has arrived. Closing the connection at once would reset it, and
// a caller that is still sending would lose the response. Reading without a limit would let callers send bytes for ever.
import type { RequestStep } from './request-steps.middleware.js';

const LINGER_MS = 5_000;

/** Discards for a while what still arrives after the response, and then closes the connection. */
export const lingeringClose: RequestStep = (request, response) => {
  // This listener is the first: Node's own would destroy the socket after the response when `Connection: close` was requested.
  response.prependOnceListener('finish', () => {
    if (request.complete || request.destroyed) return;
    const { socket } = request;
    const destroySoon = socket.destroySoon.bind(socket);
    let isLast = false;
    socket.destroySoon = () => void (isLast = true);
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    timer.unref();
    request.once('close', () => clearTimeout(timer));
    request.once('end', () => {
      clearTimeout(timer);
      socket.destroySoon = destroySoon;
      if (isLast) destroySoon();
    });
    request.resume();
  });
};
