// A queue of packages/storage, with errors for the owner of the bucket.
import type { NodeAgents } from '@kiln/outbound';
import type { ChangeQueue, QueueMessage, ReceiveOptions } from '@kiln/storage';
import { queueErrorOf } from './bucket-failure.errors.js';

/** Every failure throws BucketError. */
export class ExternalQueue implements ChangeQueue {
  constructor(
    private readonly queue: ChangeQueue,
    private readonly secrets: readonly string[],
    /** The connections to the queue; closed with it. */
    private readonly agents: NodeAgents,
  ) {}

  receive(options: ReceiveOptions): Promise<QueueMessage[]> {
    return this.run(() => this.queue.receive(options));
  }

  delete(messages: readonly QueueMessage[]): Promise<void> {
    return this.run(() => this.queue.delete(messages));
  }

  check(): Promise<void> {
    return this.run(() => this.queue.check());
  }

  close(): void {
    this.queue.close();
    this.agents.http.destroy();
    this.agents.https.destroy();
  }

  private async run<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw queueErrorOf(error, this.secrets);
    }
  }
}
