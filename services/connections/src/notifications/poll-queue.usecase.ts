// One claim of a poll: receives messages, applies the changes that they name, and deletes them only then. A message is delivered again if the process
// dies before. The two messages of a moved object are often in different batches, and its node moves only if both are applied at once.
import type { Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import type { ChangeQueue, QueueMessage } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionBuckets } from '../connections/connection-buckets.service.js';
import type { ConnectionEntity } from '../connections/connection.entity.js';
import { ConnectionStore } from '../connections/connection.store.js';
import { NotificationStateStore } from '../connections/notification-state.store.js';
import { BucketError, faultOf, type BucketFault } from '../external-buckets/domain/bucket-error.js';
import type { OpenOptions } from '../external-buckets/bucket-opener.service.js';
import { ApplyChanges, coveredKeys, type BatchOutcome } from './apply-changes.step.js';
import { changedKeys } from './domain/changed-keys.js';
import { failedSeconds, idleSeconds } from './domain/poll-delay.js';
import { QueuePollStore, type ClaimedPoll } from './queue-poll.store.js';

/** Injection token of the timeout of a call. */
export const POLL_ACCESS = Symbol('poll access');

export interface PollOptions {
  waitSeconds: number;
  signal: AbortSignal;
}

export interface PollResult {
  /** `received`: more messages may wait. `waiting`: a sync of the connection runs. `lost`: another worker has the poll, or it was stopped. */
  outcome: 'received' | 'empty' | 'waiting' | 'failed' | 'lost';
  /** Messages by what became of them. */
  messages: { applied: number; ignored: number; malformed: number };
  /** Whether changes were left to a sync, which was started. */
  hasStartedSync: boolean;
}

/** A claim receives no more batches than this, and none after so long or so many bytes, so that other connections are served, and messages stay hidden. */
const BATCHES_MAX = 20;
const RECEIVING_MS_MAX = 10_000;
const BYTES_ENOUGH = 1_048_576;
/** Messages that are not deleted within this time are delivered again. */
const HIDDEN_SECONDS = 120;
const SYNC_WAIT_SECONDS = 5;

@Injectable()
export class PollQueue {
  constructor(
    private readonly polls: QueuePollStore,
    private readonly connections: ConnectionStore,
    private readonly states: NotificationStateStore,
    private readonly buckets: ConnectionBuckets,
    private readonly changes: ApplyChanges,
    @Inject(POLL_ACCESS) private readonly access: OpenOptions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute(poll: ClaimedPoll, options: PollOptions): Promise<PollResult> {
    const result = newResult();
    const connection = await this.connections.find(poll.tenant_id, poll.connection_id);
    if (!connection) return result;
    try {
      result.outcome = await this.buckets.useQueue(connection, this.access, (queue) =>
        this.receive(poll, { queue, connection, result }, options),
      );
      await this.end(poll, result);
    } catch (error) {
      await this.fail(poll, { connection, result }, error, options.signal);
      result.outcome = 'failed';
    }
    return result;
  }

  private async receive(
    poll: ClaimedPoll,
    run: { queue: ChangeQueue; connection: ConnectionEntity; result: PollResult },
    { waitSeconds, signal }: PollOptions,
  ): Promise<PollResult['outcome']> {
    const { queue, connection, result } = run;
    const state = await this.polls.renew(poll);
    if (state === null) return 'lost';
    if (state.is_syncing) return 'waiting';
    const messages = await receiveAll(queue, waitSeconds, signal);
    if (messages.length === 0) {
      await this.states.record(connection, null);
      return 'empty';
    }
    const outcome = await this.handle(poll, run, messages, signal);
    if (outcome === 'lost') return 'waiting';
    if (outcome === 'over' && (await this.polls.startSync(poll))) result.hasStartedSync = true;
    await queue.delete(messages);
    await this.states.record(connection, null, true);
    return 'received';
  }

  private async handle(
    poll: ClaimedPoll,
    { connection, result }: { connection: ConnectionEntity; result: PollResult },
    messages: readonly QueueMessage[],
    signal: AbortSignal,
  ): Promise<BatchOutcome> {
    const keys = new Set<string>();
    for (const message of messages) for (const key of this.keysOf(message, connection, result)) keys.add(key);
    if (keys.size === 0) return 'applied';
    return this.buckets.use(connection, this.access, (bucket) =>
      this.changes.execute(poll, { bucket, connection }, [...keys], signal),
    );
  }

  private keysOf(message: QueueMessage, connection: ConnectionEntity, { messages }: PollResult): string[] {
    const { notification_type: type, bucket, prefix, tenant_id: tenantId, id: connectionId } = connection;
    const named = type && changedKeys(type, message, bucket);
    if (named === null) {
      messages.malformed += 1;
      const about = { tenantId, connectionId, bytes: Buffer.byteLength(message.body) };
      this.logger.warn(about, 'A message of a queue is not a notification of a bucket, and is deleted');
      return [];
    }
    const keys = coveredKeys(named, prefix);
    if (keys.length > 0) messages.applied += 1;
    else messages.ignored += 1;
    return keys;
  }

  private async end(poll: ClaimedPoll, { outcome }: PollResult): Promise<void> {
    if (outcome === 'received') await this.polls.release(poll, { inSeconds: 0 });
    if (outcome === 'waiting') await this.polls.release(poll, { inSeconds: SYNC_WAIT_SECONDS });
    if (outcome !== 'empty') return;
    const emptyPolls = poll.empty_polls + 1;
    await this.polls.release(poll, { inSeconds: idleSeconds(poll.empty_polls), emptyPolls });
  }

  /** The messages stay in the queue. A worker that stops releases its polls without a failure. */
  private async fail(
    poll: ClaimedPoll,
    { connection, result }: { connection: ConnectionEntity; result: PollResult },
    error: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted) return this.polls.release(poll, { inSeconds: 0, emptyPolls: poll.empty_polls });
    const { tenant_id: tenantId, connection_id: connectionId, failures } = poll;
    const isOfBucket = error instanceof BucketError;
    if (!isOfBucket)
      this.logger.error({ err: error, tenantId, connectionId }, 'Reading a queue of notifications failed');
    const { applied, ignored, malformed } = result.messages;
    await this.states.record(connection, isOfBucket ? faultOf(error) : INTERNAL, applied + ignored + malformed > 0);
    const retryAfter = isOfBucket ? error.retryAfterSeconds : undefined;
    await this.polls.release(poll, { inSeconds: failedSeconds(failures, retryAfter), failures: failures + 1 });
  }
}

/** Waits for the first batch only. */
async function receiveAll(queue: ChangeQueue, waitSeconds: number, signal: AbortSignal): Promise<QueueMessage[]> {
  const received: QueueMessage[] = [];
  const until = Date.now() + waitSeconds * 1_000 + RECEIVING_MS_MAX;
  let bytes = 0;
  for (let batch = 0; batch < BATCHES_MAX && bytes < BYTES_ENOUGH && Date.now() < until; batch += 1) {
    const wait = batch === 0 ? waitSeconds : 0;
    const messages = await queue.receive({ waitSeconds: wait, hiddenSeconds: HIDDEN_SECONDS, signal });
    if (messages.length === 0) break;
    received.push(...messages);
    for (const { body } of messages) bytes += Buffer.byteLength(body);
  }
  return received;
}

const INTERNAL: BucketFault = {
  code: 'internal',
  message: 'Kiln could not apply notifications because of an internal error. The connection is not the cause.',
};

const newResult = (): PollResult => ({
  outcome: 'lost',
  messages: { applied: 0, ignored: 0, malformed: 0 },
  hasStartedSync: false,
});
