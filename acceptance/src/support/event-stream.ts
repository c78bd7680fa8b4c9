// Reads server-sent events while they arrive.
import { EventSourceParserStream } from 'eventsource-parser/stream';

export type StreamedEvent = Record<string, unknown> | '[DONE]';

/** Yields the data of each event. Comments are skipped. */
export async function* streamedEvents({ body }: Response): AsyncGenerator<StreamedEvent> {
  if (!body) return;
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { data } of events) yield data === '[DONE]' ? data : (JSON.parse(data) as Record<string, unknown>);
}

export async function allEvents(response: Response): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = [];
  for await (const event of streamedEvents(response)) events.push(event);
  return events;
}
