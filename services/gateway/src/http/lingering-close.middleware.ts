// A response, mostly a refusal, may be sent before the body of the request has arrived. Closing the connection at once would reset it, and
// a caller that is still sending would lose the response. Reading without a limit would let callers send bytes for ever. The times are the
// defaults of nginx: https://nginx.org/en/docs/http/ngx_http_core_module.html#lingering_time
import { BodyDiscard } from './body-discard.http.js';
import type { RequestStep } from './request-steps.middleware.js';

const LINGER_MS = 30_000;
/** The connection of a caller that sends nothing for this time is closed. */
const IDLE_MS = 5_000;

/** Discards for a while what still arrives after the response, and then closes the connection. */
export function lingeringClose(): RequestStep {
  const discard = new BodyDiscard();
  return (request, response) => {
    // This listener is the first: Node's own would destroy the socket after the response when `Connection: close` was requested.
    response.prependOnceListener('finish', () => {
      if (request.complete || request.destroyed) return;
      const { socket } = request;
      const destroySoon = socket.destroySoon.bind(socket);
      let isLast = false;
      socket.destroySoon = () => void (isLast = true);
      const destroy = () => socket.destroy();
      const [end, idle] = [setTimeout(destroy, LINGER_MS).unref(), setTimeout(destroy, IDLE_MS).unref()];
      const stopTimers = () => [end, idle].forEach(clearTimeout);
      request.on('data', () => idle.refresh());
      request.once('close', stopTimers);
      request.once('end', () => {
        stopTimers();
        socket.destroySoon = destroySoon;
        if (isLast) destroySoon();
      });
      discard.start(request);
    });
  };
}
