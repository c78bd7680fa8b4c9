// The JetStream streams: events, public events by tenant, and dead letters. And the consumers of the first.
import {
  DiscardPolicy,
  jetstreamManager,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type ConsumerConfig,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import {
  deadLetterStream,
  deadLetterSubject,
  eventStream,
  eventSubject,
  publicEventStream,
  publicEventSubject,
} from '../bus/names.js';

const DAY_MS = 86_400_000;
const EVENTS_KEPT_MS = 7 * DAY_MS;
/** A stream of events can be resumed for a day, and an event is stored a little after its time. */
const PUBLIC_EVENTS_KEPT_MS = DAY_MS + 3_600_000;
const DEAD_LETTERS_KEPT_MS = 30 * DAY_MS;
/** Duplicate window. A relay that crashed after publishing publishes again well within it. */
const DUPLICATE_WINDOW_MS = 120_000;
/** https://github.com/nats-io/nats-server/blob/main/server/errors.json */
const STREAM_EXISTS_OTHERWISE = 10_058;
const CONSUMER_NOT_FOUND = 10_014;

export interface StreamOptions {
  connection: NatsConnection;
  namespace: string;
  /** Replicas: 1 on a single server, 3 in production. */
  replicas: number;
  /**
   * Whether the process changes existing streams to the configuration of its release. Whoever may do that may also empty a stream, so one
   * service does. Default true.
   */
  keeps?: boolean;
}

/** Creates missing streams. The keeper updates the configuration of existing ones. Safe to run from all processes at once. */
export async function ensureStreams({ connection, namespace, replicas, keeps = true }: StreamOptions): Promise<void> {
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
      name: publicEventStream(namespace),
      subjects: [publicEventSubject(namespace, '*')],
      max_age: nanos(PUBLIC_EVENTS_KEPT_MS),
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
      await manager.streams.add(stream);
    } catch (error) {
      if (!isBrokerError(error, STREAM_EXISTS_OTHERWISE)) throw error;
      if (keeps) await manager.streams.update(stream.name, stream);
    }
  }
}

/** Throws unless all streams exist and the broker answers for them. */
export async function assertStreams({ connection, namespace }: StreamOptions): Promise<void> {
  const { streams } = await jetstreamManager(connection, { checkAPI: false });
  const names = [eventStream, publicEventStream, deadLetterStream].map((nameOf) => nameOf(namespace));
  await Promise.all(names.map((name) => streams.info(name)));
}

export type DurableConfig = Partial<ConsumerConfig> & { durable_name: string };

/** Creates a missing consumer or updates the configuration of an existing one. Its position is kept. */
export async function ensureConsumer(manager: JetStreamManager, stream: string, config: DurableConfig): Promise<void> {
  const update = () => manager.consumers.update(stream, config.durable_name, config);
  try {
    await update();
  } catch (error) {
    if (!isBrokerError(error, CONSUMER_NOT_FOUND)) throw error;
    // Another process, perhaps of another release, may have created it meanwhile.
    await manager.consumers.add(stream, config).catch(update);
  }
}

const isBrokerError = (error: unknown, code: number) => error instanceof JetStreamApiError && error.code === code;
