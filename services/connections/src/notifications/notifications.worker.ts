// Claims due polls of queues and runs them. A poll that waits for a message is ended when the worker stops. One that applies changes ends
// after its batch.
import type { Logger } from '@kiln/platform';
import { ClaimLoop } from '../claims/claim-loop.worker.js';
import type { PollQueue, PollResult } from './poll-queue.usecase.js';
import type { ClaimedPoll, QueuePollStore } from './queue-poll.store.js';

export interface NotificationsWorkerOptions {
  polls: QueuePollStore;
  pollQueue: PollQueue;
  concurrency: number;
  logger: Logger;
  onEnded: (result: PollResult) => void;
  pollMs?: number;
}

interface Poll extends ClaimedPoll {
  waitSeconds: number;
}

/** How long a poll waits for a message: the most that SQS allows, and less while other queues wait for a slot. */
const WAIT_SECONDS = 20;
const BUSY_WAIT_SECONDS = 1;

export class NotificationsWorker extends ClaimLoop<Poll> {
  constructor(options: NotificationsWorkerOptions) {
    const { polls, pollQueue, concurrency, logger, onEnded, pollMs } = options;
    super({
      name: 'reading queues of notifications',
      concurrency,
      logger,
      pollMs,
      claim: async (count, held) => {
        const claimed = await polls.claim(count, held);
        const waitSeconds = claimed.length < count ? WAIT_SECONDS : BUSY_WAIT_SECONDS;
        return claimed.map((poll) => ({ ...poll, waitSeconds }));
      },
      nextDueInMs: (held) => polls.nextDueInMs(held),
      run: async ({ waitSeconds, ...poll }, { signal }) => {
        try {
          onEnded(await pollQueue.execute(poll, { waitSeconds, signal }));
        } catch (error) {
          const about = { connectionId: poll.connection_id, tenantId: poll.tenant_id };
          logger.warn({ err: error, ...about }, 'Poll failed; the queue is polled again when its lease expires');
        }
      },
    });
  }
}
