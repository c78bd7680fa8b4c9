// What the broker knows about the events of a service: the lag of its consumers, its dead letters, and the storage that all streams take.
// Every process of the service exports the same numbers: aggregate them by max.
import { jetstreamManager, type ConsumerInfo, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { deadLetterStream, deadLetterSubject, eventStream } from '../bus/names.js';
import type { Metrics, Sample } from '../observability/metrics.js';

export interface EventStreamsOptions {
  connection: NatsConnection;
  namespace: string;
  service: string;
  /** The durable names of the service's consumers. */
  consumers: () => readonly string[];
}

const TIMEOUT_MS = 1_500;

const described = [
  {
    name: 'kiln_consumer_waiting_events',
    help: 'Events that the broker has not delivered to the consumer yet, by consumer',
  },
  {
    name: 'kiln_consumer_unacknowledged_events',
    help: 'Events that were delivered to the consumer and are handled now or will be delivered again, by consumer',
  },
  {
    name: 'kiln_dead_letters',
    help: 'Dead letters that are kept, by the consumer that failed or the outbox that could not send',
  },
  { name: 'kiln_bus_storage_bytes', help: 'Storage that the streams of the broker take' },
  { name: 'kiln_events_storage_bytes', help: 'Storage that the stream of events takes' },
  { name: 'kiln_events_storage_limit_bytes', help: 'KILN_EVENTS_BYTES_MAX. Absent without it' },
  { name: 'kiln_bus_storage_limit_bytes', help: 'The limit of this storage. Absent if the account has none' },
] as const;

export function observeEventStreams(metrics: Pick<Metrics, 'gauges'>, options: EventStreamsOptions): void {
  metrics.gauges(described, async () => {
    const manager = await jetstreamManager(options.connection, { checkAPI: false, timeout: TIMEOUT_MS });
    const [consumers, letters, account, events] = await Promise.all([
      consumersOf(manager, options),
      deadLettersOf(manager, options),
      manager.getAccountInfo(),
      manager.streams.info(eventStream(options.namespace)),
    ]);
    const { storage, limits } = account;
    const { max_bytes } = events.config;
    return {
      kiln_consumer_waiting_events: byConsumer(consumers, ({ num_pending: count }) => count),
      kiln_consumer_unacknowledged_events: byConsumer(consumers, ({ num_ack_pending: count }) => count),
      kiln_dead_letters: letters,
      kiln_events_storage_bytes: [{ labels: {}, value: events.state.bytes }],
      kiln_events_storage_limit_bytes: max_bytes > 0 ? [{ labels: {}, value: max_bytes }] : [],
      kiln_bus_storage_bytes: [{ labels: {}, value: storage }],
      kiln_bus_storage_limit_bytes: limits.max_storage > 0 ? [{ labels: {}, value: limits.max_storage }] : [],
    };
  });
}

const byConsumer = (consumers: readonly ConsumerInfo[], countOf: (info: ConsumerInfo) => number) =>
  consumers.map((info) => ({ labels: { consumer: info.name }, value: countOf(info) }));

/** The broker lists all consumers of the stream, 256 in an answer. */
async function consumersOf(
  manager: JetStreamManager,
  { namespace, consumers }: EventStreamsOptions,
): Promise<ConsumerInfo[]> {
  const own = new Set(consumers());
  if (own.size === 0) return [];
  const all = await Array.fromAsync(manager.consumers.list(eventStream(namespace)));
  return all.filter(({ name }) => own.has(name));
}

/** One sample for each consumer of the service and for its outbox, also without dead letters. */
async function deadLettersOf(
  manager: JetStreamManager,
  { namespace, service, consumers }: EventStreamsOptions,
): Promise<Sample<'consumer'>[]> {
  const subjects_filter = deadLetterSubject(namespace, '>');
  const { state } = await manager.streams.info(deadLetterStream(namespace), { subjects_filter });
  return [...consumers(), `${service}-outbox`].map((consumer) => ({
    labels: { consumer },
    value: state.subjects?.[deadLetterSubject(namespace, consumer)] ?? 0,
  }));
}
