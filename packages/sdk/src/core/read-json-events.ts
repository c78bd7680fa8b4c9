// Reads events whose data is JSON. `[DONE]` ends them, and an event of the type `error` is thrown.
import { KilnConnectionError, KilnError } from './errors.js';
import { readEvents, type EventReading } from './read-events.js';

const END = '[DONE]';

/** Throws KilnConnectionError if the response ends before `[DONE]`. */
export async function* readJsonEvents<Event extends object>(
  response: Response,
  reading: EventReading,
): AsyncGenerator<Event, void, undefined> {
  for await (const { data } of readEvents(response, reading)) {
    if (data === END) return;
    const event = JSON.parse(data) as Event | ErrorEvent;
    if (isError(event)) throw failureOf(event);
    yield event;
  }
  throw new KilnConnectionError(reading.what, new Error('The stream ended before its end marker.'));
}

interface ErrorEvent {
  type: 'error';
  error: string;
  code: string;
  requestId: string;
}

const isError = (event: object): event is ErrorEvent => 'type' in event && event.type === 'error';

const failureOf = ({ error, code, requestId }: ErrorEvent) =>
  new KilnError(code, error, { retryable: code === 'UNAVAILABLE' || code === 'RATE_LIMITED', requestId });
