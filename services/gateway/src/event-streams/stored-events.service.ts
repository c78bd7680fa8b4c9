// Reads the stored events of a tenant, to resume a stream after an event.
import { CodedError, timeOfEventId, unavailable } from '@kiln/contracts';
import type { PageStart, PublicEventFeed, StoredEvent } from '@kiln/platform';
import { setTimeout as delay } from 'node:timers/promises';
import { hasEventId } from './streamed-event.domain.js';

const RESUMABLE_MS = 24 * 3_600_000;
/** The maximum difference between the clocks of the broker and of the service that wrote the event. */
const CLOCK_SKEW_MS = 60_000;
/** A replica of the broker can lag. Events that are younger than this are looked for again. */
const YOUNG_MS = 10_000;
const LAG_PAUSE_MS = 250;
const LOOKS_MAX = 4;
const PAGE = 256;

export interface LookedForEvent {
  tenantId: string;
  /** A public id (uuid). */
  eventId: string;
  /** Whether the caller may have received it. */
  isVisible: (event: StoredEvent) => boolean;
  /** Epoch milliseconds. */
  deadlineAt: number;
}

const expired = () =>
  new CodedError(
    'EVENTS_EXPIRED',
    'The events after this Last-Event-ID are not kept: it is unknown or older than 24 hours. Connect without it, and read what you need again.',
  );

export class StoredEvents {
  constructor(private readonly feed: Pick<PublicEventFeed, 'page' | 'next'>) {}

  /** Returns the place of an event. Throws EVENTS_EXPIRED when it is unknown or older than a day, or UNAVAILABLE. */
  async placeOf(event: LookedForEvent): Promise<number> {
    const ageMs = Date.now() - timeOfEventId(event.eventId);
    if (ageMs > RESUMABLE_MS || ageMs < -CLOCK_SKEW_MS) throw expired();
    for (let looks = 1; ; looks++) {
      const place = await this.find(event);
      if (place !== null) return place;
      if (ageMs > YOUNG_MS || looks === LOOKS_MAX) throw expired();
      await delay(LAG_PAUSE_MS);
    }
  }

  /** Reads events from `start` on, a page at a time, as fast as the caller takes them. The latest events may be missing: `next` has them. */
  async *from(tenantId: string, start: PageStart): AsyncGenerator<StoredEvent> {
    for (;;) {
      const page = await this.feed.page(tenantId, start, PAGE);
      yield* page;
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      start = { sequence: last.sequence + 1 };
    }
  }

  /** The event behind this place, if there is one. */
  next(tenantId: string, sequence: number): Promise<StoredEvent | null> {
    return this.feed.next(tenantId, sequence + 1);
  }

  private async find({ tenantId, eventId, isVisible, deadlineAt }: LookedForEvent): Promise<number | null> {
    for await (const event of this.from(tenantId, { time: new Date(timeOfEventId(eventId) - CLOCK_SKEW_MS) })) {
      if (hasEventId(event, eventId)) return isVisible(event) ? event.sequence : null;
      if (Date.now() > deadlineAt) throw unavailable('The event stream');
    }
    return null;
  }
}
