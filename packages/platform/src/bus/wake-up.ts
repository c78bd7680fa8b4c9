// A hint over core NATS that there may be work. It may be lost, so listeners also poll.
import type { NatsConnection } from '@nats-io/transport-node';
import { wakeUpSubject } from './names.js';

/** Hints to every listener that shares the work are at least so far apart. */
export const SHARED_INTERVAL_MS = 100;

/** The subject of hints to one listener. */
const toOne = (name: string) => `${name}.one`;

export class WakeUp {
  private readonly due = new Set<string>();
  /** Names of which every listener got a hint within the last interval, and whether another hint has followed. */
  private readonly recent = new Map<string, { isFollowed: boolean }>();

  constructor(
    private readonly connection: NatsConnection,
    private readonly namespace: string,
  ) {}

  /** Several calls in one pass of the event loop send one hint. */
  send(name: string): void {
    if (this.due.size === 0) setImmediate(this.publish);
    this.due.add(name);
  }

  /**
   * For work that any listener may do. The first hint goes to every listener. Those that follow within an interval go to one each, since each wakes a
   * listener that may find no work; when the interval ends, every listener gets a hint again, in case those were busy.
   */
  sendShared(name: string): void {
    const recent = this.recent.get(name);
    if (recent) {
      recent.isFollowed = true;
      this.send(toOne(name));
    } else this.sendToAll(name);
  }

  private sendToAll(name: string): void {
    const recent = { isFollowed: false };
    this.recent.set(name, recent);
    this.send(name);
    const onEnd = () => {
      if (recent.isFollowed) this.sendToAll(name);
      else this.recent.delete(name);
    };
    setTimeout(onEnd, SHARED_INTERVAL_MS).unref();
  }

  private readonly publish = (): void => {
    const names = [...this.due];
    this.due.clear();
    if (this.connection.isClosed()) return;
    for (const name of names) this.connection.publish(wakeUpSubject(this.namespace, name));
  };

  /** Every listener receives every hint. Returns a function that stops listening. */
  listen(name: string, onWakeUp: () => void): () => void {
    const subscription = this.connection.subscribe(wakeUpSubject(this.namespace, name), { callback: onWakeUp });
    return () => subscription.unsubscribe();
  }

  /** Receives the hints of `sendShared`, and shares those to one listener with all that listen in this way. */
  listenShared(name: string, onWakeUp: () => void): () => void {
    const stop = this.listen(name, onWakeUp);
    const subject = wakeUpSubject(this.namespace, toOne(name));
    const shared = this.connection.subscribe(subject, { queue: 'one', callback: onWakeUp });
    return () => {
      stop();
      shared.unsubscribe();
    };
  }
}
