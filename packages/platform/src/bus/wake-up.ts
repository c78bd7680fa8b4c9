// "There may be work": a hint over core NATS. It may be lost, so whoever listens also polls now and then.
import type { NatsConnection } from '@nats-io/transport-node';
import { wakeUpSubject } from './names.js';

export class WakeUp {
  constructor(
    private readonly connection: NatsConnection,
    private readonly namespace: string,
  ) {}

  send(name: string): void {
    if (!this.connection.isClosed()) this.connection.publish(wakeUpSubject(this.namespace, name));
  }

  /** Every listener hears every hint. Returns a function that stops listening. */
  listen(name: string, onWakeUp: () => void): () => void {
    const subscription = this.connection.subscribe(wakeUpSubject(this.namespace, name), { callback: onWakeUp });
    return () => subscription.unsubscribe();
  }
}
