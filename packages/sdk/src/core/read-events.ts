// Reads the server-sent events of a response as they arrive.
import { KilnConnectionError, KilnTimeoutError } from './errors.js';
import type { SseParser, ServerSentEvent } from './sse-parser.js';
import { withTimeout } from './time.js';

/** Kiln sends a comment every 15 seconds. A connection that is silent for longer than this is lost. */
const SILENCE_MS_MAX = 60_000;

export interface EventReading {
  what: string;
  parser: SseParser;
  signal: AbortSignal | undefined;
  silenceMsMax?: number;
}

/** Closes the connection when the caller leaves the loop. */
export async function* readEvents(
  { body }: Response,
  { what, parser, signal, silenceMsMax = SILENCE_MS_MAX }: EventReading,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const late = () => new KilnTimeoutError('TIMEOUT', `${what}: nothing arrived for ${silenceMsMax} ms.`);
  const read = () => reader.read().catch((cause: unknown) => Promise.reject(new KilnConnectionError(what, cause)));
  try {
    for (;;) {
      const { done, value } = await withTimeout(read, { timeoutMs: silenceMsMax, late, signal });
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
