// One open stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). It first sends the stored events after the one
// that the client names, as fast as the client reads, and then events as they happen. It ends when an event may be missed: the client resumes.
import { CodedError } from '@kiln/contracts';
import type { Logger, StoredEvent } from '@kiln/platform';
import type { ServerResponse } from 'node:http';
import { EVENT_STREAM_HEADERS, HEARTBEAT, HEARTBEAT_MS } from '../http/event-stream.domain.js';
import type { EventHub, HubMember } from './event-hub.service.js';
import type { StoredEvents } from './stored-events.service.js';
import { passes, type StreamFilter } from './stream-filter.domain.js';
import type { StreamPlace } from './stream-places.adapter.js';
import { StreamedEvent } from './streamed-event.domain.js';

export const STREAM_HEADERS = { ...EVENT_STREAM_HEADERS, 'Cache-Control': 'no-store' };
/** How long clients wait before they connect again. */
const RETRY_MS = 2_000;
/** A client that is this far behind is cut off. */
const BEHIND_BYTES_MAX = 1024 * 1024;

/** Stored events are kept for an hour longer than they can be named. A client that takes longer for them could miss some. */
const CATCH_UP_MS_MAX = 30 * 60_000;

export interface EventStreamParts {
  tenantId: string;
  /** A uuid. */
  organizationId: string;
  filter: StreamFilter;
  hub: EventHub;
  stored: Pick<StoredEvents, 'from' | 'next'>;
  place: StreamPlace;
  /** Throws UNAUTHORIZED when the credentials are no longer valid. */
  checkCredentials: () => Promise<void>;
  logger: Logger;
  heartbeatMs?: number | undefined;
}

export class EventStream implements HubMember {
  readonly tenantId: string;
  /** Live events that wait until the stored ones are sent. Null: none wait. */
  private held: StreamedEvent[] | null = [];
  private heldBytes = 0;
  private isOver = false;
  private finish: () => void = () => undefined;
  private readonly over = new Promise<void>((resolve) => (this.finish = resolve));
  private response: ServerResponse | null = null;

  constructor(private readonly parts: EventStreamParts) {
    this.tenantId = parts.tenantId;
  }

  readonly onEnd = (): void => this.end();

  readonly onEvent = (event: StreamedEvent): void => {
    const { filter, organizationId } = this.parts;
    if (this.isOver || !passes(filter, event)) return;
    const bytes = event.bytesFor(organizationId);
    if (this.held) this.hold(event, bytes);
    else if (this.response) this.writeLive(this.response, event, bytes);
  };

  /** Frees what the stream holds, and completes the response. */
  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.held = null;
    this.parts.hub.leave(this);
    this.parts.place.release();
    this.finish();
  }

  /** Resolves when the stream has ended. It begins behind the place `after`, or with the next event if that is null. */
  async run(response: ServerResponse, after: number | null): Promise<void> {
    this.response = response;
    response.once('close', () => this.end());
    if (response.destroyed) this.end();
    response.writeHead(200, STREAM_HEADERS);
    response.write(`retry: ${RETRY_MS}\n\n`);
    const heartbeat = setInterval(() => void this.beat(response), this.parts.heartbeatMs ?? HEARTBEAT_MS);
    try {
      this.release(after === null ? 0 : await this.catchUp(response, after));
      await this.over;
    } catch (error) {
      this.parts.logger.warn({ err: error, tenantId: this.tenantId }, 'A stream of events ends early');
    } finally {
      clearInterval(heartbeat);
      this.end();
      response.end();
    }
  }

  /** Returns the place of the last event that was sent, or that the filter leaves out. Live events behind it are held. */
  private async catchUp(response: ServerResponse, after: number): Promise<number> {
    const { hub, stored } = this.parts;
    let place = after;
    const until = performance.now() + CATCH_UP_MS_MAX;
    for await (const event of stored.from(this.tenantId, { sequence: after + 1 })) {
      if (performance.now() > until) throw new Error('the client reads the stored events too slowly');
      if (this.isOver) return place;
      await this.writeStored(response, event);
      place = event.sequence;
    }
    if (this.isOver) return place;
    const joinedAt = hub.join(this);
    while (!this.isOver) {
      const event = await stored.next(this.tenantId, place);
      if (event === null || event.sequence > joinedAt) break;
      await this.writeStored(response, event);
      place = event.sequence;
    }
    return place;
  }

  private async writeStored(response: ServerResponse, stored: StoredEvent): Promise<void> {
    const event = StreamedEvent.stored(stored);
    if (!event || !passes(this.parts.filter, event)) return;
    if (response.write(event.bytesFor(this.parts.organizationId)) || this.isOver) return;
    const drained = new Promise<void>((resolve) => response.once('drain', resolve));
    await Promise.race([drained, this.over]);
  }

  private hold(event: StreamedEvent, bytes: Buffer): void {
    if (event.sequence === null) return;
    this.held?.push(event);
    this.heldBytes += bytes.length;
    if (this.heldBytes > BEHIND_BYTES_MAX) this.cut();
  }

  /** Sends the events that were held and come behind `place`. From now on events are sent as they happen. */
  private release(place: number): void {
    const held = this.held ?? [];
    this.held = null;
    for (const event of held) if ((event.sequence ?? 0) > place) this.onEvent(event);
  }

  private writeLive(response: ServerResponse, { sequence }: StreamedEvent, bytes: Buffer): void {
    // Progress is worth nothing to a client that is behind.
    if (sequence === null && response.writableNeedDrain) return;
    response.write(bytes);
    if (response.writableLength > BEHIND_BYTES_MAX) this.cut();
  }

  private cut(): void {
    this.parts.logger.info({ tenantId: this.tenantId }, 'A stream of events is cut: its reader is too slow');
    this.end();
    this.response?.destroy();
  }

  private async beat(response: ServerResponse): Promise<void> {
    if (!response.writableNeedDrain) response.write(HEARTBEAT);
    const { place, checkCredentials } = this.parts;
    await place.renew();
    try {
      await checkCredentials();
    } catch (error) {
      // While the database is away, nothing can be revoked either.
      if (error instanceof CodedError && error.code === 'UNAUTHORIZED') this.end();
    }
  }
}
