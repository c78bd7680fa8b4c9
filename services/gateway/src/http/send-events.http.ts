// Sends server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), as fast as the caller reads. After
// the last event comes the literal `[DONE]`, as clients of other chat APIs expect. If the events break off, the last event is the
// error.
import type { Logger } from '@kiln/platform';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { codedErrorOf, errorBody } from './errors.middleware.js';
import { EVENT_STREAM_HEADERS, HEARTBEAT, HEARTBEAT_MS } from './event-stream.domain.js';
import { stateOf } from './request-state.http.js';

export interface EventsToSend {
  events: AsyncIterable<unknown>;
  logger: Logger;
  heartbeatMs?: number;
}

/** Stops reading the events when the caller disconnects. */
export async function sendEvents(
  request: IncomingMessage,
  response: ServerResponse,
  { events, logger, heartbeatMs = HEARTBEAT_MS }: EventsToSend,
): Promise<void> {
  response.writeHead(200, { ...EVENT_STREAM_HEADERS, 'Cache-Control': 'no-cache' });
  response.flushHeaders();
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(HEARTBEAT);
  }, heartbeatMs);
  try {
    for await (const event of events) {
      await write(response, dataOf(JSON.stringify(event)));
      if (response.destroyed) return;
    }
    response.write(dataOf('[DONE]'));
  } catch (thrown) {
    if (response.destroyed) return;
    const { requestId, route } = stateOf(request);
    const error = codedErrorOf(thrown);
    if (error.status >= 500) logger.error({ err: error, requestId, route: route?.name }, 'Response broke off');
    response.write(dataOf(JSON.stringify({ type: 'error', ...errorBody(error, requestId) })));
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}

const dataOf = (data: string) => `data: ${data}\n\n`;

/** Resolves when the caller has taken enough for the next event, or has disconnected. */
async function write(response: ServerResponse, text: string): Promise<void> {
  if (response.write(text) || response.destroyed) return;
  await new Promise<void>((resolve) => {
    const proceed = () => {
      response.off('drain', proceed).off('close', proceed);
      resolve();
    };
    response.on('drain', proceed).on('close', proceed);
  });
}
