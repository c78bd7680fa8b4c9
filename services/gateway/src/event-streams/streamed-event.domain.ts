// An event as streams send it (https://html.spec.whatwg.org/multipage/server-sent-events.html). An organization's streams share its bytes.
import {
  cloudEventSchema,
  encodeId,
  eventIdOf,
  payloadOf,
  PROGRESS_TYPE,
  publicEventOf,
  type JobProgress,
  type PublicEvent,
} from '@kiln/contracts';
import type { StoredEvent } from '@kiln/platform';

export class StreamedEvent {
  private bytes: Buffer | null = null;

  private constructor(
    readonly type: string,
    readonly data: Readonly<Record<string, unknown>>,
    /** Its place in the order of events. Null: it is not stored. */
    readonly sequence: number | null,
    private readonly write: (organizationId: string) => string,
  ) {}

  /** Null for an event of a release that this one cannot read. */
  static stored({ sequence, text }: StoredEvent): StreamedEvent | null {
    const read = readEvent(text);
    if (!read) return null;
    const { eventId, event } = read;
    const write = (organizationId: string) =>
      `id: ${encodeId('event', eventId)}\nevent: ${event.type}\ndata: ${payloadOf(eventId, organizationId, event)}\n\n`;
    return new StreamedEvent(event.type, event.data as Record<string, unknown>, sequence, write);
  }

  /** Without `id:`, so that the client resumes after the stored event before it. */
  static progress(data: JobProgress): StreamedEvent {
    const created_at = new Date().toISOString();
    const write = (organizationId: string) => {
      const payload = { type: PROGRESS_TYPE, created_at, org_id: encodeId('organization', organizationId), data };
      return `event: ${PROGRESS_TYPE}\ndata: ${JSON.stringify(payload)}\n\n`;
    };
    return new StreamedEvent(PROGRESS_TYPE, data, null, write);
  }

  /** The bytes for streams of this organization (uuid), which owns the event. */
  bytesFor(organizationId: string): Buffer {
    return (this.bytes ??= Buffer.from(this.write(organizationId)));
  }
}

function readEvent(text: string): { eventId: string; event: PublicEvent } | null {
  try {
    const envelope = cloudEventSchema.parse(JSON.parse(text));
    return { eventId: eventIdOf(envelope), event: publicEventOf(envelope) };
  } catch {
    return null;
  }
}

/** Whether the stored event has this public id (uuid). */
export function hasEventId({ text }: Pick<StoredEvent, 'text'>, eventId: string): boolean {
  // Parsing takes much longer than the search.
  return text.includes(eventId.slice(15)) && readEvent(text)?.eventId === eventId;
}
