// A hint over core NATS that there may be work. It may be lost, so listeners also poll.
import type { NatsConnection } from '@nats-io/transport-node';
import { wakeUpSubject } from './names.js';

export class WakeUp {
  private readonly due = new Set<string>();

  constructor(
    private readonly connection: NatsConnection,
    private readonly namespace: string,
  ) {}

  /** Several calls in one pass of the event loop send one hint. */
  send(name: string): void {
    if (this.due.size === 0) setImmediate(this.publish);
    this.due.add(name);
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
}
