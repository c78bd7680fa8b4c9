// Reads a stream of server-sent events, and can stop reading.
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';

export interface ReadEvent {
  /** Null for an event that is not stored. */
  id: string | null;
  type: string;
  payload: { id?: string; type: string; created_at: string; org_id: string; data: Record<string, unknown> };
}

export class EventReader {
  readonly events: ReadEvent[] = [];
  /** Whether the gateway has completed the response. */
  ended = false;
  /** Whether the connection was cut off before that. */
  cut = false;
  private rest = '';

  private constructor(
    private readonly outgoing: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8').on('data', (text: string) => this.read(text));
    response.once('end', () => (this.ended = true));
    response.once('error', () => (this.cut = true));
  }

  static async open(url: string, headers: Record<string, string>): Promise<EventReader> {
    const outgoing = request(url, { headers, agent: false });
    outgoing.on('error', () => undefined);
    outgoing.end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return new EventReader(outgoing, response);
  }

  get isOver(): boolean {
    return this.ended || this.cut;
  }

  get ids(): (string | null)[] {
    return this.events.map(({ id }) => id);
  }

  get filenames(): unknown[] {
    return this.events.map(({ payload }) => payload.data['filename']);
  }

  close(): void {
    this.outgoing.destroy();
  }

  private read(text: string): void {
    const parts = (this.rest + text).split('\n\n');
    this.rest = parts.pop() ?? '';
    for (const part of parts) {
      const fields = new Map(
        part.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
      );
      const data = fields.get('data');
      if (data === undefined) continue;
      const payload = JSON.parse(data) as ReadEvent['payload'];
      this.events.push({ id: fields.get('id') ?? null, type: fields.get('event') ?? '', payload });
    }
  }
}

/** Resumes after its last event whenever its stream is over, as clients do. */
export class ResumingReader {
  private readonly past: ReadEvent[] = [];

  private constructor(
    private reader: EventReader,
    private readonly open: (lastEventId: string | null) => Promise<EventReader>,
  ) {}

  static async open(open: (lastEventId: string | null) => Promise<EventReader>): Promise<ResumingReader> {
    return new ResumingReader(await open(null), open);
  }

  /** All events so far. */
  async read(): Promise<readonly ReadEvent[]> {
    if (this.reader.isOver) {
      this.past.push(...this.reader.events);
      this.reader = await this.open(this.past.findLast(({ id }) => id !== null)?.id ?? null);
    }
    return [...this.past, ...this.reader.events];
  }
}
