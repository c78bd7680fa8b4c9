import { Metrics, WakeUp, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Module } from '@nestjs/common';
import { CONNECTIONS_CONFIG, type ConnectionsConfig } from '../config.js';
import { BucketAccessModule } from '../connections/bucket-access.module.js';
import { NOTIFICATIONS_CHANGED, SYNC_DUE, SYNC_ENDED } from '../wake-ups.events.js';
import { ApplyChanges, NODES_MAX } from './apply-changes.step.js';
import { NodeChangeStore } from './node-change.store.js';
import { NotificationsWorker } from './notifications.worker.js';
import { POLL_ACCESS, PollQueue, type PollResult } from './poll-queue.usecase.js';
import { QueuePollStore } from './queue-poll.store.js';

const nodesMax = {
  provide: NODES_MAX,
  inject: [CONNECTIONS_CONFIG],
  useFactory: ({ KILN_CONNECTIONS_NODES_MAX }: ConnectionsConfig) => KILN_CONNECTIONS_NODES_MAX,
};
const access = {
  provide: POLL_ACCESS,
  inject: [CONNECTIONS_CONFIG],
  useFactory: ({ KILN_CONNECTIONS_TIMEOUT_MS }: ConnectionsConfig) => ({
    requestTimeoutMs: KILN_CONNECTIONS_TIMEOUT_MS,
  }),
};
const worker = {
  provide: NotificationsWorker,
  inject: [QueuePollStore, PollQueue, CONNECTIONS_CONFIG, WakeUp, Metrics, LOGGER],
  useFactory: newWorker,
};

function newWorker(
  polls: QueuePollStore,
  pollQueue: PollQueue,
  config: ConnectionsConfig,
  wakeUp: WakeUp,
  metrics: Metrics,
  logger: Logger,
): NotificationsWorker {
  const ended = metrics.counter('kiln_queue_polls_total', 'Polls of queues of notifications by outcome', ['outcome']);
  const messages = metrics.counter('kiln_notifications_total', 'Messages of queues of notifications by result', [
    'result',
  ]);
  const onEnded = (result: PollResult) => {
    ended.add(1, { outcome: result.outcome });
    for (const [name, count] of Object.entries(result.messages)) if (count > 0) messages.add(count, { result: name });
    if (result.hasStartedSync) wakeUp.send(SYNC_DUE);
  };
  const concurrency = config.KILN_NOTIFICATIONS_CONCURRENCY;
  const created = new NotificationsWorker({ polls, pollQueue, concurrency, logger, onEnded });
  metrics.gauge(
    'kiln_queue_polls_running',
    'Queues of notifications that this worker reads',
    () => created.runningCount,
  );
  return created;
}

/** Part of the worker role: reads the queues to which buckets report changes. */
@Module({
  imports: [BucketAccessModule],
  providers: [nodesMax, access, QueuePollStore, NodeChangeStore, ApplyChanges, PollQueue, worker],
})
export class NotificationsModule {
  constructor(notifications: NotificationsWorker, wakeUp: WakeUp) {
    wakeUp.listen(NOTIFICATIONS_CHANGED, () => notifications.wakeUp());
    wakeUp.listen(SYNC_ENDED, () => notifications.wakeUp());
  }
}
