// Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation).

export interface ServerSentEvent {
  /** `message` if the event names no type. */
  event: string;
  data: string;
}

/** Characters of an event that is not complete. */
const PENDING_MAX = 16_777_216;

export class SseParser {
  /** The pause before a new connection that the server has asked for. */
  retryMs: number | undefined;
  private pending = '';
  private data: string[] = [];
  private event = '';
  /** The id of an event that is perhaps not complete. */
  private pendingId: string;

  /** `lastEventId` is that of the last complete event, also of one without data. Empty if there was none. */
  constructor(public lastEventId = '') {
    this.pendingId = lastEventId;
  }

  /**
   * Yields the events that the text completes. They are read one by one, so that `lastEventId` never is ahead of the
   * event that the caller has. Read all of them before the next text. Throws RangeError if an event is too long.
   */
  *push(text: string): Generator<ServerSentEvent, void, undefined> {
    const lines = (this.pending + text).split(/\r\n|\n|\r(?!$)/);
    // The last line is not complete. A CR at its end may be the first half of a CR LF.
    this.pending = lines.pop() ?? '';
    const size = this.data.reduce((sum, line) => sum + line.length, this.pending.length);
    if (size > PENDING_MAX) throw new RangeError('An event of the stream is too long.');
    for (const line of lines) {
      const event = this.readLine(line);
      if (event) yield event;
    }
  }

  private readLine(line: string): ServerSentEvent | null {
    if (line === '') return this.dispatch();
    const [, name = '', value = ''] = /^([^:]*)(?:: ?)?(.*)$/s.exec(line) ?? [];
    if (name === 'data') this.data.push(value);
    else if (name === 'event') this.event = value;
    else if (name === 'id' && !value.includes('\0')) this.pendingId = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
    return null;
  }

  private dispatch(): ServerSentEvent | null {
    const { data, event } = this;
    this.data = [];
    this.event = '';
    this.lastEventId = this.pendingId;
    return data.length === 0 ? null : { event: event || 'message', data: data.join('\n') };
  }
}
