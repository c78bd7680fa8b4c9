// A response, mostly a refusal, may be sent before the body of the request has arrived. Closing the connection at once would reset it, and
// a caller that is still sending would lose the response. Reading without a limit would let callers send bytes for ever.
import type { RequestStep } from './request-steps.middleware.js';

const LINGER_MS = 5_000;

/** After the response, discards what still arrives for a while; then closes the connection. */
export const lingeringClose: RequestStep = (request, response) => {
  // First of all listeners: Node's own destroys the socket after the response when `Connection: close` was asked for.
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
