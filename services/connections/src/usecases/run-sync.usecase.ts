// One claim of a sync: lists the bucket page by page from where the claim before stopped, and removes what the bucket no longer
// holds once all of it has been listed. A page and the place where it ends are committed together, so nothing that was committed is
// listed again.
import { connectionsEvents, encodeId } from '@kiln/contracts';
import { appendEvents, newEvent, type Database, type Transaction } from '@kiln/platform';
import { nodesOfPage, rootOf } from '../domain/listed-nodes.js';
import { BucketError, type BucketFault } from '../domain/bucket-error.js';
import type { BucketPage } from '../domain/bucket.port.js';
import { syncFault } from '../domain/sync-fault.js';
import type { ConnectionStore } from '../store/connection.store.js';
import type { SyncRow } from '../store/sync.rows.js';
import { NOTHING_LOOKED_AT, type Looked, type SyncPageStore } from '../store/sync-page.store.js';
import { leaseOf, type SyncLease, type SyncStore } from '../store/sync.store.js';
import type { BucketAccess, OpenBucket } from './bucket-access.js';

export interface RunSyncParts {
  database: Database;
  syncs: SyncStore;
  pages: SyncPageStore;
  connections: ConnectionStore;
  access: BucketAccess;
}

export type SyncOutcome = 'completed' | 'failed' | 'postponed' | 'released' | 'lost';

class LeaseLostError extends Error {}

const PAGE_SIZE = 1_000;
/** Nodes that one statement looks at. */
const LOOK_AT = 10_000;

export class RunSync {
  constructor(private readonly parts: RunSyncParts) {}

  async execute(sync: SyncRow, signal: AbortSignal): Promise<SyncOutcome> {
    try {
      return await this.run(sync, leaseOf(sync), signal);
    } catch (error) {
      if (error instanceof LeaseLostError) return 'lost';
      throw error;
    }
  }

  private async run(sync: SyncRow, lease: SyncLease, signal: AbortSignal): Promise<SyncOutcome> {
    try {
      if (!sync.listed) await this.list(sync, lease, signal);
      await this.removeUnseen(sync, lease, signal);
      return await this.complete(sync, lease);
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      if (signal.aborted) {
        await this.parts.syncs.release(lease);
        return 'released';
      }
      return this.giveUp(sync, lease, error);
    }
  }

  private async list(sync: SyncRow, lease: SyncLease, signal: AbortSignal): Promise<void> {
    const { access, pages } = this.parts;
    const walk = async (opened: OpenBucket) => {
      await this.walk(opened, sync, lease, signal);
      return true;
    };
    // Deleted: its syncs are cancelled, and this claim is lost.
    if ((await access.use(sync.tenant_id, sync.connection_id, walk)) === null) throw new LeaseLostError();
    if (!(await pages.endListing(lease))) throw new LeaseLostError();
  }

  private async walk(
    { bucket, connection: { prefix } }: OpenBucket,
    sync: SyncRow,
    lease: SyncLease,
    signal: AbortSignal,
  ): Promise<void> {
    const root = rootOf(prefix);
    const after = sync.position ?? undefined;
    // Those of the page before, which this one goes on with: the order of keys keeps what lies in a folder together.
    let known: ReadonlySet<string> = new Set();
    let cursor: string | null = null;
    do {
      signal.throwIfAborted();
      const page: BucketPage = await bucket.list({ prefix, after, cursor: cursor ?? undefined, limit: PAGE_SIZE });
      cursor = page.next;
      const last = page.objects.at(-1);
      if (last === undefined) continue;
      const { nodes, folders, skipped } = nodesOfPage(page.objects, root, known);
      known = folders;
      const committed = await this.parts.pages.commit(lease, sync.connection_id, {
        nodes,
        position: last.key,
        skipped,
      });
      if (!committed) throw new LeaseLostError();
    } while (cursor !== null);
  }

  private async removeUnseen(sync: SyncRow, lease: SyncLease, signal: AbortSignal): Promise<void> {
    let after: Looked | null = NOTHING_LOOKED_AT;
    while (after !== null) {
      signal.throwIfAborted();
      const looked: Looked | 'lost' | null = await this.parts.pages.removeUnseen(
        lease,
        sync.connection_id,
        after,
        LOOK_AT,
      );
      if (looked === 'lost') throw new LeaseLostError();
      after = looked;
    }
  }

  private async complete(sync: SyncRow, lease: SyncLease): Promise<SyncOutcome> {
    const { database, syncs } = this.parts;
    return database.transaction(async (transaction) => {
      await this.record(transaction, sync, null);
      const done = await syncs.complete(transaction, lease);
      if (!done) throw new LeaseLostError();
      await this.tell(transaction, done, null);
      return 'completed' as const;
    });
  }

  private async giveUp(sync: SyncRow, lease: SyncLease, error: unknown): Promise<SyncOutcome> {
    // Ours to mend: the lease ends, and whoever claims it next goes on.
    if (!(error instanceof BucketError)) throw error;
    const { database, syncs } = this.parts;
    const current = await syncs.find(sync.tenant_id, sync.id);
    const fault = syncFault(error, current?.failures ?? 0);
    if (fault.retryInSeconds !== null) {
      await syncs.postpone(lease, fault.retryInSeconds);
      return 'postponed';
    }
    return database.transaction(async (transaction) => {
      await this.record(transaction, sync, fault.error);
      const failed = await syncs.fail(transaction, lease, fault.error);
      if (!failed) throw new LeaseLostError();
      await this.tell(transaction, failed, fault.error);
      return 'failed' as const;
    });
  }

  /** At the connection, which is locked before its sync, as its deletion does. */
  private async record(transaction: Transaction, sync: SyncRow, fault: BucketFault | null): Promise<void> {
    const { connections } = this.parts;
    const connection = await connections.find(sync.tenant_id, sync.connection_id, transaction);
    if (connection) await connections.recordOutcome(connection, fault, transaction);
  }

  private async tell(transaction: Transaction, sync: SyncRow, error: BucketFault | null): Promise<void> {
    const { files_added, files_updated, files_deleted } = sync;
    const connection_id = encodeId('connection', sync.connection_id);
    const data = { connection_id, sync_id: encodeId('sync', sync.id), files_added, files_updated, files_deleted };
    const about = { tenantId: sync.tenant_id, subject: connection_id };
    const event =
      error === null
        ? newEvent({ definition: connectionsEvents.connectionSynced, ...about, data })
        : newEvent({ definition: connectionsEvents.connectionSyncFailed, ...about, data: { ...data, error } });
    await appendEvents(transaction, [event]);
  }
}
