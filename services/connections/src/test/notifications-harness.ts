// Shared by the specs of notifications: the harness of syncs, and the classes that poll queues.
import { encodeId } from '@kiln/contracts';
import type { Logger } from '@kiln/platform';
import { ApplyChanges } from '../notifications/apply-changes.step.js';
import { NodeChangeStore } from '../notifications/node-change.store.js';
import { NotificationsWorker } from '../notifications/notifications.worker.js';
import { PollQueue, type PollResult } from '../notifications/poll-queue.usecase.js';
import { QueuePollStore } from '../notifications/queue-poll.store.js';
import { PATIENT_MS, type HarnessOptions, type NewConnection } from './connections-harness.js';
import { MemoryQueue, s3Event } from './memory-queue.js';
import { newBucket, silentLogger, startSyncs } from './syncs-harness.js';

export const QUEUE_URL = 'https://sqs.eu-central-1.amazonaws.com/123456789012/kiln';

export type NotificationsHarness = Awaited<ReturnType<typeof startNotifications>>;
type Fields = Partial<Omit<NewConnection, 'provider' | 'credentials'>>;

export async function startNotifications(options: HarnessOptions & { nodesMax?: number; logger?: Logger } = {}) {
  const kiln = await startSyncs(options);
  const { database, connections, states, buckets, opener, sql } = kiln;
  const polls = new QueuePollStore(database);
  const changes = new NodeChangeStore(database);
  const apply = new ApplyChanges(polls, changes, options.nodesMax ?? 100_000);
  const access = { requestTimeoutMs: PATIENT_MS };
  const logger = options.logger ?? silentLogger;
  const pollQueue = new PollQueue(polls, connections, states, buckets, apply, access, logger);
  const claim = async () => {
    const [claimed] = await polls.claim(1, { held: new Map(), heldMax: 1 });
    return claimed ?? null;
  };
  const allDue = () => sql('update queue_polls set due_at = now() where due_at is not null');
  return {
    ...kiln,
    polls,
    changes,
    pollQueue,
    claim,
    allDue,
    /** Polls the only queue, whenever that is due. */
    poll: async (): Promise<PollResult> => {
      await allDue();
      const claimed = await claim();
      if (!claimed) throw new Error('nothing to claim');
      return pollQueue.execute(claimed, { waitSeconds: 0, signal: new AbortController().signal });
    },
    newWorker: (concurrency = 4) => {
      const results: PollResult[] = [];
      const onEnded = (result: PollResult) => results.push(result);
      const worker = new NotificationsWorker({ polls, pollQueue, concurrency, logger, onEnded, pollMs: 200 });
      worker.start();
      return { results, worker };
    },
    /** A bucket that reports to a queue in this process. */
    connectQueue: async (tenantId: string, fields: Fields = {}) => {
      const bucket = await newBucket();
      const queue = new MemoryQueue();
      opener.openQueue = async () => queue;
      const notifications = { type: 'sqs' as const, queue: QUEUE_URL };
      const connectionId = await kiln.connect(tenantId, { ...bucket.connection, notifications, ...fields });
      return {
        ...bucket,
        queue,
        connectionId,
        connection_id: encodeId('connection', connectionId),
        notify: (...keys: readonly string[]) => queue.send(s3Event(bucket.connection.bucket, ...keys)),
      };
    },
    /** The data of the events of a type, in order. They are removed. */
    happened: async (type: string) => {
      const rows = await sql<{ data: Record<string, unknown> }>(
        `select envelope::jsonb -> 'data' as data from outbox where type = $1 order by sequence`,
        [type],
      );
      await sql('delete from outbox where type = $1', [type]);
      return rows.map(({ data }) => data);
    },
    /** The nodes of files, by path. */
    files: async (connectionId: string) => {
      const rows = await sql<{ id: string; path: string; etag: string; size_bytes: number }>(
        'select id, path, etag, size_bytes from nodes where connection_id = $1 and is_file order by path',
        [connectionId],
      );
      return new Map(rows.map((row) => [row.path, row]));
    },
  };
}
