// Keeps the streams within their limits. At the limit of the stream of events, the broker refuses new events, and they stay in the outbox. From
// 80 % of the limit on, the keeper removes the oldest events that every consumer has acknowledged. It removes no others.
import { jetstreamManager, type ConsumerInfo, type JetStreamManager, type StreamInfo } from '@nats-io/jetstream';
import { eventStream, publicEventStream } from '../bus/names.js';
import type { Logger } from '../observability/logger.js';
import { PollingLoop } from '../service/polling-loop.js';
import { ensureStreams, eventLimits, publicEventLimits, type StreamOptions } from './streams.js';

/** Shares of the limit. Above the first the keeper removes events, down to the second. */
const FULL = 0.8;
const TRIMMED = 0.7;
const POLL_MS = 10_000;

export class StreamKeeper {
  private readonly stream: string;
  private readonly loop: PollingLoop;
  /** Up to where a consumer needs no event. A consumer that is made again needs all. */
  private readonly needless = new Map<string, number>();

  constructor(
    private readonly options: StreamOptions,
    logger: Logger,
  ) {
    this.stream = eventStream(options.namespace);
    const round = () => this.keep().then(() => false);
    this.loop = new PollingLoop({ name: 'stream keeper', pollMs: POLL_MS, logger, round });
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** One round. Safe to run from several processes at once: they remove the same events. */
  async keep(): Promise<void> {
    const manager = await jetstreamManager(this.options.connection, { checkAPI: false });
    const info = await manager.streams.info(this.stream);
    const bytesMax = this.options.limits?.bytesMax;
    if (bytesMax !== undefined && info.state.bytes > bytesMax * FULL)
      await this.trim(manager, info, bytesMax * TRIMMED);
    const publicInfo = await manager.streams.info(publicEventStream(this.options.namespace));
    // A process of another release may have made a stream, or it was too full for a lower limit.
    if (differs(info, eventLimits(this.options)) || differs(publicInfo, publicEventLimits(this.options)))
      await ensureStreams(this.options);
  }

  /** Removes acknowledged events from the oldest on, until about `bytes` are left. */
  private async trim(manager: JetStreamManager, { state }: StreamInfo, bytes: number): Promise<void> {
    const excess = Math.ceil((state.messages * (state.bytes - bytes)) / state.bytes);
    const end = Math.min(state.first_seq + excess, await this.firstNeeded(manager, state.last_seq));
    if (end > state.first_seq) await manager.streams.purge(this.stream, { seq: end });
  }

  /** The first event that a consumer has not acknowledged. */
  private async firstNeeded(manager: JetStreamManager, lastSequence: number): Promise<number> {
    let first = lastSequence + 1;
    for await (const consumer of manager.consumers.list(this.stream))
      first = Math.min(first, await this.firstNeededBy(manager, consumer, lastSequence));
    return first;
  }

  /** Asks the leader of the stream: a replica with a consumer may not know the latest events. */
  private async firstNeededBy(
    manager: JetStreamManager,
    { name, created, ack_floor, config }: ConsumerInfo,
    lastSequence: number,
  ): Promise<number> {
    const key = `${name} ${created}`;
    const from = 1 + Math.max(ack_floor.stream_seq, this.needless.get(key) ?? 0);
    const query = { seq: from, next_by_subj: config.filter_subject ?? '>' };
    const first = (await manager.streams.getMessage(this.stream, query))?.seq ?? lastSequence + 1;
    this.needless.set(key, Math.min(first, lastSequence + 1) - 1);
    return first;
  }
}

type Limits = Pick<StreamInfo['config'], 'max_age' | 'max_bytes' | 'discard'>;

const differs = ({ config }: StreamInfo, { max_age, max_bytes, discard }: Limits): boolean =>
  config.max_age !== max_age || config.max_bytes !== max_bytes || config.discard !== discard;
