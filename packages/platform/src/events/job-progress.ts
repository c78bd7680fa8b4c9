// The progress of jobs, over core NATS: it is not stored, and a subscriber that is away misses it.
import { jobProgressSchema, type JobProgress } from '@kiln/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { progressSubject } from '../bus/names.js';

export class JobProgressChannel {
  constructor(
    private readonly connection: Pick<NatsConnection, 'publish' | 'subscribe' | 'isClosed'>,
    private readonly namespace: string,
  ) {}

  send(tenantId: string, progress: JobProgress): void {
    if (this.connection.isClosed()) return;
    this.connection.publish(progressSubject(this.namespace, tenantId), JSON.stringify(progress));
  }

  /** Receives the progress of all tenants. Returns a function that stops it. */
  listen(onProgress: (tenantId: string, progress: JobProgress) => void): () => void {
    const subscription = this.connection.subscribe(progressSubject(this.namespace, '*'), {
      callback: (error, message) => {
        const progress = error ? null : readProgress(message.string());
        if (progress) onProgress(message.subject.slice(message.subject.lastIndexOf('.') + 1), progress);
      },
    });
    return () => subscription.unsubscribe();
  }
}

/** Null for what another release sends. */
function readProgress(text: string): JobProgress | null {
  try {
    return jobProgressSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
