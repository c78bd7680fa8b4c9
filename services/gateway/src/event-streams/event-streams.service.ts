// The open streams of this process.
import { unavailable, uuidOf, type EventStreamQuery } from '@kiln/contracts';
import type { JobProgressChannel, Logger, PublicEventFeed, StoredEvent } from '@kiln/platform';
import type { ServerResponse } from 'node:http';
import type { Caller } from '../auth/caller.domain.js';
import { EventHub } from './event-hub.service.js';
import { EventStream } from './event-stream.http.js';
import { StoredEvents } from './stored-events.service.js';
import { filterOf, passes } from './stream-filter.domain.js';
import type { StreamPlaces } from './stream-places.adapter.js';
import { StreamedEvent } from './streamed-event.domain.js';

export interface EventStreamsParts {
  feed: Pick<PublicEventFeed, 'follow' | 'page' | 'next'>;
  progress: Pick<JobProgressChannel, 'listen'>;
  places: Pick<StreamPlaces, 'take'>;
  logger: Logger;
  heartbeatMs?: number;
}

export interface StreamRequest {
  caller: Caller;
  query: EventStreamQuery;
  /** The id of the last event that arrived. */
  lastEventId: string | undefined;
  /** The longest time to find that event, in epoch milliseconds. */
  deadlineAt: number;
  /** Throws UNAUTHORIZED when the credentials are no longer valid. */
  checkCredentials: () => Promise<void>;
}

export class EventStreams {
  private readonly hub: EventHub;
  private readonly stored: StoredEvents;
  private readonly open = new Set<EventStream>();
  private isStopping = false;

  constructor(private readonly parts: EventStreamsParts) {
    this.hub = new EventHub(parts);
    this.stored = new StoredEvents(parts.feed);
  }

  /** Returns the function that sends the events. Throws RATE_LIMITED, EVENTS_EXPIRED or UNAVAILABLE. */
  async start(request: StreamRequest): Promise<(response: ServerResponse) => Promise<void>> {
    if (this.isStopping) throw unavailable('The event stream');
    const { caller, query, checkCredentials } = request;
    const { logger, places, heartbeatMs } = this.parts;
    const stream = new EventStream({
      tenantId: caller.tenantId,
      organizationId: uuidOf('organization', caller.organizationId),
      filter: filterOf(query, caller.authType === 'portal_token' ? caller.space : null),
      hub: this.hub,
      stored: this.stored,
      place: await places.take(caller),
      checkCredentials,
      logger,
      heartbeatMs,
    });
    try {
      await this.hub.enter(stream);
      const after = await this.placeAfter(request);
      if (after === null) this.hub.join(stream);
      if (this.isStopping) throw unavailable('The event stream');
      this.open.add(stream);
      return (response) => stream.run(response, after).finally(() => this.open.delete(stream));
    } catch (error) {
      stream.end();
      throw error;
    }
  }

  get count(): number {
    return this.open.size;
  }

  /** Ends all streams. Clients connect again, to another gateway. */
  stop(): void {
    this.isStopping = true;
    for (const stream of this.open) stream.end();
  }

  private async placeAfter({ caller, lastEventId, deadlineAt }: StreamRequest): Promise<number | null> {
    if (lastEventId === undefined) return null;
    const { tenantId } = caller;
    const isVisible = (event: StoredEvent) => caller.authType !== 'portal_token' || isIn(caller.space, event);
    return this.stored.placeOf({ tenantId, eventId: uuidOf('event', lastEventId), isVisible, deadlineAt });
  }
}

function isIn(space: string, stored: StoredEvent): boolean {
  const event = StreamedEvent.stored(stored);
  return event !== null && passes(filterOf({}, space), event);
}
