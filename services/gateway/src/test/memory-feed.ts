// The feed of public events in memory, in which a test chooses what a replica of the broker knows.
import { encodeId, eventIdOf } from '@kiln/contracts';
import type { Follower, PublicEventFeed, StoredEvent } from '@kiln/platform';
import { createdEvent } from './public-events.js';

export class MemoryFeed implements Pick<PublicEventFeed, 'follow' | 'page' | 'next'> {
  private readonly events: (StoredEvent & { time: number })[] = [];
  private readonly followers = new Set<Follower>();
  /** The latest events that a replica does not know yet. */
  lag = 0;
  follows = 0;
  /** Runs before each read. */
  beforeRead: () => void = () => undefined;

  /** An event happens. Returns its public id. */
  add(tenantId: string, filename: string): string {
    const event = createdEvent(tenantId, filename);
    const stored = { sequence: this.events.length + 1, tenantId, text: JSON.stringify(event), time: Date.now() };
    this.events.push(stored);
    for (const { onEvent } of this.followers) onEvent(stored);
    return encodeId('event', eventIdOf(event));
  }

  async follow(follower: Follower) {
    this.follows++;
    this.followers.add(follower);
    return { sequence: this.events.length, stop: () => void this.followers.delete(follower) };
  }

  get followed(): boolean {
    return this.followers.size > 0;
  }

  /** The broker loses its followers. */
  interrupt(): void {
    const followers = [...this.followers];
    this.followers.clear();
    for (const { onEnd } of followers) onEnd();
  }

  async page(tenantId: string, start: { sequence: number } | { time: Date }, limit: number): Promise<StoredEvent[]> {
    this.beforeRead();
    const isIn = ({ sequence, time }: { sequence: number; time: number }) =>
      'time' in start ? time >= start.time.getTime() : sequence >= start.sequence;
    const known = this.events.slice(0, this.events.length - this.lag);
    return known.filter((event) => event.tenantId === tenantId && isIn(event)).slice(0, limit);
  }

  async next(tenantId: string, sequence: number): Promise<StoredEvent | null> {
    this.beforeRead();
    return this.events.find((event) => event.tenantId === tenantId && event.sequence >= sequence) ?? null;
  }
}
