// A stream of events that outlasts its connections.
import { outcomeOf } from '../core/attempts.js';
import { KilnConnectionError } from '../core/errors.js';
import { readJsonEvents } from '../core/read-json-events.js';
import { retryDelayMs } from '../core/retry.js';
import { SseParser } from '../core/sse-parser.js';
import { sleep } from '../core/time.js';
import type { RequestOptions } from '../core/options.js';
import type { ApiRequest, Transport } from '../core/transport.js';
import type { EventStreamQuery, StreamedEvent } from './streamed-event.js';

export interface EventStreamOptions extends Omit<RequestOptions, 'idempotencyKey'> {
  /** Continues after this event. Default: only events from now on. */
  lastEventId?: string;
  /**
   * How long the stream tries to renew a lost connection. Default 300,000. With Infinity it never gives up. With `maxRetries: 0` it ends
   * with its first connection.
   */
  deadlineMs?: number;
}

const REQUEST: ApiRequest = { method: 'GET', path: '/v1/events/stream' };
const WHAT = 'GET /v1/events/stream';

/** Loop over it once: `for await (const event of subscription)`. Leaving the loop closes the connection. */
export class EventSubscription implements AsyncIterable<StreamedEvent> {
  /** The last event that the loop has received. */
  lastEventId: string | undefined;

  constructor(
    private readonly transport: Transport,
    private readonly query: EventStreamQuery,
    private readonly options: EventStreamOptions,
  ) {
    this.lastEventId = options.lastEventId;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamedEvent, void, undefined> {
    const { signal, maxRetries, deadlineMs } = this.transport.limitsOf(this.options);
    let contactAt = performance.now();
    for (let retriesDone = 0; ; retriesDone += 1) {
      const parser = new SseParser(this.lastEventId);
      let isOpen = false;
      let failure: unknown = new KilnConnectionError(WHAT, new Error('The server closed the stream.'));
      try {
        const response = await this.open();
        isOpen = true;
        for await (const event of readJsonEvents<StreamedEvent>(response, { what: WHAT, parser, signal })) {
          retriesDone = 0;
          this.lastEventId = parser.lastEventId || this.lastEventId;
          yield event;
        }
      } catch (error) {
        failure = error;
      }
      signal?.throwIfAborted();
      const now = performance.now();
      if (isOpen) contactAt = now;
      const outcome = outcomeOf(failure);
      const attempted = {
        retriesDone,
        isRepeatable: true,
        remainingMs: contactAt + deadlineMs - now,
        random: Math.random(),
      };
      const delayMs = outcome && retryDelayMs(outcome, { ...attempted, maxRetries: maxRetries === 0 ? 0 : Infinity });
      if (delayMs === null) throw failure;
      await sleep(Math.max(delayMs, parser.retryMs ?? 0), signal);
    }
  }

  /** One attempt: this class counts the retries. */
  private open(): Promise<Response> {
    const { signal, timeoutMs } = this.options;
    const query = { ...this.query, types: this.query.types?.join(',') };
    const headers: Record<string, string> = this.lastEventId === undefined ? {} : { 'last-event-id': this.lastEventId };
    return this.transport.open({ ...REQUEST, query, headers }, { signal, timeoutMs, maxRetries: 0 });
  }
}
