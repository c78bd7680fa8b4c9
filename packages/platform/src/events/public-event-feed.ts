// Reads the public events, which JetStream stores by tenant in one order: live for all tenants, and from an earlier place for one.
import { unavailable } from '@kiln/contracts';
import {
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type ConsumerMessages,
  type JsMsg,
  type StoredMsg,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import { publicEventStream, publicEventSubject } from '../bus/names.js';

/** A stored event. */
export interface StoredEvent {
  /** Its place in the order of all public events. */
  sequence: number;
  tenantId: string;
  /** The CloudEvent in JSON. */
  text: string;
}

export interface Follower {
  /** Is called in order, without gaps, until `onEnd`. */
  onEvent: (event: StoredEvent) => void;
  /** The broker is away, or it has lost the consumer or the stream: further events would be missed. It is called at most once. */
  onEnd: () => void;
}

export interface Following {
  /** Every event after this place is passed on. */
  sequence: number;
  stop: () => void;
}

/** The first event of a page: a place, or a time of storage. */
export type PageStart = { sequence: number } | { time: Date };

const LIVE_MESSAGES_MAX = 1_000;
const PAGE_DEADLINE_MS = 5_000;
/** Milliseconds after which the broker removes the consumer of a page that is not read. */
const PAGE_CONSUMER_MS = 30_000;
/** What the client reports in ordinary work. Everything else can mean a gap. */
const HARMLESS = new Set(['debug', 'discard', 'next', 'heartbeat', 'flow_control']);

export class PublicEventFeed {
  private readonly stream: string;
  private readonly onDisconnect = new Set<() => void>();

  constructor(
    private readonly connection: NatsConnection,
    private readonly namespace: string,
  ) {
    this.stream = publicEventStream(namespace);
    void this.watchConnection();
  }

  /** Follows the events of all tenants, from now on. Throws UNAVAILABLE. */
  follow({ onEvent, onEnd }: Follower): Promise<Following> {
    return this.orUnavailable(async () => {
      const manager = await jetstreamManager(this.connection, { checkAPI: false });
      const sequence = (await manager.streams.info(this.stream)).state.last_seq;
      const consumer = await jetstream(this.connection).consumers.get(this.stream, {
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: sequence + 1,
      });
      const messages = await consumer.consume({
        max_messages: LIVE_MESSAGES_MAX,
        callback: (message) => onEvent(storedEvent(message)),
      });
      let isOver = false;
      const stop = () => {
        isOver = true;
        this.onDisconnect.delete(end);
        messages.stop();
        void consumer.delete().catch(() => undefined);
      };
      const end = () => {
        if (isOver) return;
        stop();
        onEnd();
      };
      this.onDisconnect.add(end);
      void endOnFault(messages, end);
      return { sequence, stop };
    });
  }

  /** The next events of a tenant, at most `limit`. A replica of the broker may not know the latest ones yet. Throws UNAVAILABLE. */
  page(tenantId: string, start: PageStart, limit: number): Promise<StoredEvent[]> {
    return this.orUnavailable(async () => {
      const consumer = await jetstream(this.connection).consumers.get(this.stream, {
        filter_subjects: publicEventSubject(this.namespace, tenantId),
        inactive_threshold: nanos(PAGE_CONSUMER_MS),
        ...('time' in start
          ? { deliver_policy: DeliverPolicy.StartTime, opt_start_time: start.time.toISOString() }
          : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: start.sequence }),
      });
      try {
        const count = Math.min(limit, (await consumer.info(true)).num_pending);
        if (count === 0) return [];
        const page: StoredEvent[] = [];
        for await (const message of await consumer.fetch({ max_messages: count, expires: PAGE_DEADLINE_MS }))
          page.push(storedEvent(message));
        if (page.length < count) throw new Error(`${page.length} of ${count} events arrived`);
        return page;
      } finally {
        void consumer.delete().catch(() => undefined);
      }
    });
  }

  /** The next event of a tenant at or after this place, by the leader of the stream, which knows all of them. Null if there is none. Throws UNAVAILABLE. */
  next(tenantId: string, sequence: number): Promise<StoredEvent | null> {
    return this.orUnavailable(async () => {
      const manager = await jetstreamManager(this.connection, { checkAPI: false });
      const query = { seq: sequence, next_by_subj: publicEventSubject(this.namespace, tenantId) };
      const message = await manager.streams.getMessage(this.stream, query);
      return message && storedEvent(message);
    });
  }

  private async orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw unavailable('The event stream', error);
    }
  }

  private async watchConnection(): Promise<void> {
    for await (const { type } of this.connection.status())
      if (type === 'disconnect') for (const end of this.onDisconnect) end();
  }
}

const storedEvent = (message: JsMsg | StoredMsg): StoredEvent => ({
  sequence: message.seq,
  tenantId: message.subject.slice(message.subject.lastIndexOf('.') + 1),
  text: message.string(),
});

async function endOnFault(messages: ConsumerMessages, end: () => void): Promise<void> {
  for await (const { type } of messages.status()) if (!HARMLESS.has(type)) return end();
  end();
}
