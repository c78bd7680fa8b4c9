// The two JetStream streams: what happened, and what a consumer could not digest.
import { DiscardPolicy, jetstreamManager, JetStreamApiError, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import { deadLetterStream, deadLetterSubject, eventStream, eventSubject } from '../bus/names.js';

const DAY_MS = 86_400_000;
const EVENTS_KEPT_MS = 7 * DAY_MS;
const DEAD_LETTERS_KEPT_MS = 30 * DAY_MS;
/** A relay that died after publishing publishes again well within this. */
const DUPLICATE_WINDOW_MS = 120_000;
const STREAM_NOT_FOUND = 10_059;

export interface StreamOptions {
  connection: NatsConnection;
  namespace: string;
  /** Copies kept by the cluster: 1 for a single server, 3 in production. */
  replicas: number;
}

/** Creates both streams where missing, and brings an existing one to this configuration. Safe to run from every process at once. */
export async function ensureStreams({ connection, namespace, replicas }: StreamOptions): Promise<void> {
  const manager = await jetstreamManager(connection);
  const shared = {
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    num_replicas: replicas,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  };
  const streams = [
    {
      name: eventStream(namespace),
      subjects: [eventSubject(namespace, '>')],
      max_age: nanos(EVENTS_KEPT_MS),
      ...shared,
    },
    {
      name: deadLetterStream(namespace),
      subjects: [deadLetterSubject(namespace, '>')],
      max_age: nanos(DEAD_LETTERS_KEPT_MS),
      ...shared,
    },
  ];
  for (const stream of streams) {
    try {
      await manager.streams.update(stream.name, stream);
    } catch (error) {
      if (!(error instanceof JetStreamApiError) || error.code !== STREAM_NOT_FOUND) throw error;
      await manager.streams.add(stream);
    }
  }
}
