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
const STREAM_NOT_FOUND = 10_059;
const CONSUMER_NOT_FOUND = 10_014;

export interface StreamOptions {
  connection: NatsConnection;
  namespace: string;
  /** Replicas: 1 on a single server, 3 in production. */
  replicas: number;
}

/** Creates missing streams and updates the configuration of existing ones. Safe to run from all processes at once. */
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
    await updateOrAdd({
      notFound: STREAM_NOT_FOUND,
      update: () => manager.streams.update(stream.name, stream),
      add: () => manager.streams.add(stream),
    });
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
  await updateOrAdd({
    notFound: CONSUMER_NOT_FOUND,
    update: () => manager.consumers.update(stream, config.durable_name, config),
    add: () => manager.consumers.add(stream, config),
  });
}

interface Change {
  /** The broker's error code for a stream or consumer that does not exist. */
  notFound: number;
  update: () => Promise<unknown>;
  add: () => Promise<unknown>;
}

/** Since NATS 2.10, `add` fails if it exists with another configuration. */
async function updateOrAdd({ notFound, update, add }: Change): Promise<void> {
  try {
    await update();
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== notFound) throw error;
    // Another process, perhaps of another release, may have created it meanwhile.
    await add().catch(update);
  }
}
