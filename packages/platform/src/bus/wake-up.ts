// "There may be work": a hint over core NATS. It may be lost, so whoever listens also polls now and then.
import type { NatsConnection } from '@nats-io/transport-node';
import { wakeUpSubject } from './names.js';

export class WakeUp {
  private readonly due = new Set<string>();

  constructor(
    private readonly connection: NatsConnection,
    private readonly namespace: string,
  ) {}

  /** However often in one turn of the event loop, it is one hint. */
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

  /** Every listener hears every hint. Returns a function that stops listening. */
  listen(name: string, onWakeUp: () => void): () => void {
    const subscription = this.connection.subscribe(wakeUpSubject(this.namespace, name), { callback: onWakeUp });
    return () => subscription.unsubscribe();
  }
}
