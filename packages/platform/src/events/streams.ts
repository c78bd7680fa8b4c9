// The JetStream streams: events, public events by tenant, and dead letters. And the consumers of the first.
import {
  DiscardPolicy,
  jetstreamManager,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type ConsumerConfig,
  type JetStreamManager,
  type StreamConfig,
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
/** The inbox keeps its rows a day longer. */
export const EVENT_DAYS_MAX = 7;
/** Of the limit. Only a stream below it gets a lower limit: JetStream would remove events at once, also those that are not delivered. */
const FILLED_MAX = 0.8;
/** A stream of events can be resumed for a day, and an event is stored a little after its time. */
const PUBLIC_EVENTS_KEPT_MS = DAY_MS + 3_600_000;
const DEAD_LETTERS_KEPT_MS = 30 * DAY_MS;
/** Duplicate window. A relay that crashed after publishing publishes again well within it. */
const DUPLICATE_WINDOW_MS = 120_000;
/** https://github.com/nats-io/nats-server/blob/main/server/errors.json */
const STREAM_EXISTS_OTHERWISE = 10_058;
const CONSUMER_NOT_FOUND = 10_014;
const TOO_LITTLE_STORAGE = 10_047;

/** How much the stream of events keeps. */
export interface EventLimits {
  /** An event is removed after this time, also if it is not delivered. Default and maximum 7. */
  days: number;
  /** When so much is stored, the broker refuses events, which stay in their outboxes. See `stream-keeper.ts`. */
  bytesMax?: number | undefined;
  /** When so much is stored, the broker removes the oldest public events: no service needs them. */
  publicBytesMax?: number | undefined;
}

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
  /** Default: 7 days, no limits of bytes. A process that does not keep the streams needs no others: the keeper corrects them. */
  limits?: EventLimits | undefined;
}

/** Creates missing streams. The keeper updates the configuration of existing ones. Safe to run from all processes at once. */
export async function ensureStreams(options: StreamOptions): Promise<void> {
  const { connection, namespace, replicas, keeps = true } = options;
  const limits = eventLimits(options);
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
      ...shared,
      ...limits,
    },
    {
      name: publicEventStream(namespace),
      subjects: [publicEventSubject(namespace, '*')],
      ...shared,
      ...publicEventLimits(options),
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
      if (!isBrokerError(error, STREAM_EXISTS_OTHERWISE)) throw explained(error);
      if (keeps) await update(manager, stream);
    }
  }
}

/** The configuration of the stream of events. An event for which there is no room is refused: it stays in its outbox. */
export const eventLimits = ({ limits }: Pick<StreamOptions, 'limits'>) => ({
  max_age: nanos((limits?.days ?? EVENT_DAYS_MAX) * DAY_MS),
  max_bytes: limits?.bytesMax ?? -1,
  discard: DiscardPolicy.New,
});

/** The configuration of the stream of public events, which loses its oldest ones. */
export const publicEventLimits = ({ limits }: Pick<StreamOptions, 'limits'>) => ({
  max_age: nanos(PUBLIC_EVENTS_KEPT_MS),
  max_bytes: limits?.publicBytesMax ?? -1,
  discard: DiscardPolicy.Old,
});

type Wanted = Pick<StreamConfig, 'name' | 'discard'> & Partial<StreamConfig>;

async function update(manager: JetStreamManager, wanted: Wanted): Promise<void> {
  const { config, state } = await manager.streams.info(wanted.name);
  const { max_bytes = -1, discard } = wanted;
  const fits = max_bytes < 0 || discard === DiscardPolicy.Old || state.bytes <= max_bytes * FILLED_MAX;
  await manager.streams
    .update(wanted.name, { ...wanted, max_bytes: fits ? max_bytes : config.max_bytes })
    .catch((error: unknown) => {
      throw explained(error);
    });
}

const explained = (error: unknown) =>
  isBrokerError(error, TOO_LITTLE_STORAGE)
    ? new Error(
        'the broker has less storage than KILN_EVENTS_BYTES_MAX and KILN_PUBLIC_EVENTS_BYTES_MAX; lower them, or give the broker more',
        {
          cause: error,
        },
      )
    : error;

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
