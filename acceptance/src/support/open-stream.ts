// A stream of events, as a client reads it with fetch. It can stop reading.
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { KilnClient } from './kiln-client.js';

export interface StreamEvent {
  /** Null for an event that is not stored. */
  id: string | null;
  type: string;
  /** As it was sent. */
  text: string;
  data: Record<string, unknown>;
}

interface StreamOptions {
  query?: string;
  lastEventId?: string | null | undefined;
  authorization?: string;
  /** Read nothing until `resume`. */
  isPaused?: boolean;
}

export class OpenStream {
  readonly events: StreamEvent[] = [];
  /** `completed` by the server, or `cut` before that. */
  state: 'open' | 'completed' | 'cut' = 'open';

  private constructor(
    readonly response: Response,
    private readonly left: AbortController,
  ) {}

  static async open(client: KilnClient, { query = '', lastEventId, authorization, isPaused }: StreamOptions = {}) {
    const left = new AbortController();
    const headers = {
      authorization: authorization ?? `ApiKey ${client.apiKey}`,
      ...(typeof lastEventId === 'string' && { 'last-event-id': lastEventId }),
    };
    const response = await fetch(`${client.baseUrl}/v1/events/stream${query}`, { headers, signal: left.signal });
    const stream = new OpenStream(response, left);
    if (response.status === 200 && isPaused !== true) stream.resume();
    return stream;
  }

  get ids(): (string | null)[] {
    return this.events.map(({ id }) => id);
  }

  get types(): string[] {
    return this.events.map(({ type }) => type);
  }

  resume(): void {
    void this.read().then(
      () => (this.state = 'completed'),
      () => (this.state = 'cut'),
    );
  }

  close(): void {
    this.left.abort();
  }

  private async read(): Promise<void> {
    if (!this.response.body) return;
    const parsed = this.response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const { id = null, event = '', data } of parsed) {
      const payload = JSON.parse(data) as { data: Record<string, unknown> };
      this.events.push({ id, type: event, text: data, data: payload.data });
    }
  }
}
