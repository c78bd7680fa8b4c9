// Passes the events of all tenants on to the open streams. One subscription serves the process, while it has streams. When the broker may have lost an
// event, all streams end: their clients resume after the last event that arrived.
import type { Logger, JobProgressChannel, PublicEventFeed, StoredEvent } from '@kiln/platform';
import { StreamedEvent } from './streamed-event.domain.js';

export interface HubMember {
  readonly tenantId: string;
  onEvent: (event: StreamedEvent) => void;
  /** Further events would be missed. */
  onEnd: () => void;
}

export interface EventHubParts {
  feed: Pick<PublicEventFeed, 'follow'>;
  progress: Pick<JobProgressChannel, 'listen'>;
  logger: Pick<Logger, 'warn'>;
}

export class EventHub {
  private readonly members = new Set<HubMember>();
  private readonly joined = new Map<string, Set<HubMember>>();
  private live: Promise<() => void> | null = null;
  /** The place of the last event that was passed on. */
  private sequence = 0;

  constructor(private readonly parts: EventHubParts) {}

  /** Resolves when the process receives events. The member receives them once it joins, and `onEnd` before that. Throws UNAVAILABLE. */
  async enter(member: HubMember): Promise<void> {
    this.members.add(member);
    const live = (this.live ??= this.follow());
    try {
      await live;
    } catch (error) {
      this.members.delete(member);
      if (this.live === live) this.live = null;
      throw error;
    }
  }

  /** The member receives every event behind the place that this returns. */
  join(member: HubMember): number {
    const ofTenant = this.joined.get(member.tenantId) ?? new Set();
    this.joined.set(member.tenantId, ofTenant.add(member));
    return this.sequence;
  }

  leave(member: HubMember): void {
    this.members.delete(member);
    const ofTenant = this.joined.get(member.tenantId);
    ofTenant?.delete(member);
    if (ofTenant?.size === 0) this.joined.delete(member.tenantId);
    if (this.members.size > 0) return;
    const { live } = this;
    this.live = null;
    live?.then(
      (stop) => stop(),
      () => undefined,
    );
  }

  private async follow(): Promise<() => void> {
    this.sequence = 0;
    const stopProgress = this.parts.progress.listen((tenantId, progress) => {
      if (this.joined.has(tenantId)) this.passOn(tenantId, StreamedEvent.progress(progress));
    });
    try {
      const onEvent = (event: StoredEvent) => this.onStored(event);
      const following = await this.parts.feed.follow({
        onEvent,
        onEnd: () => {
          stopProgress();
          this.end();
        },
      });
      this.sequence = Math.max(this.sequence, following.sequence);
      return () => {
        stopProgress();
        following.stop();
      };
    } catch (error) {
      stopProgress();
      throw error;
    }
  }

  private onStored(stored: StoredEvent): void {
    this.sequence = stored.sequence;
    if (!this.joined.has(stored.tenantId)) return;
    const event = StreamedEvent.stored(stored);
    if (event) this.passOn(stored.tenantId, event);
    else this.parts.logger.warn({ sequence: stored.sequence }, 'An event of another release is not streamed');
  }

  private passOn(tenantId: string, event: StreamedEvent): void {
    for (const member of this.joined.get(tenantId) ?? []) member.onEvent(event);
  }

  private end(): void {
    this.live = null;
    const members = [...this.members];
    this.parts.logger.warn({ streams: members.length }, 'The broker has interrupted the events; the streams end');
    for (const member of members) member.onEnd();
  }
}
