// How a sync ends, or is tried again: its status, the status of its connection and the event are one commit.
import { connectionsEvents, encodeId } from '@kiln/contracts';
import { appendEvents, newEvent, type Database, type Logger, type Transaction } from '@kiln/platform';
import { BucketError, type BucketFault } from '../domain/bucket-error.js';
import { syncFault } from '../domain/sync-fault.js';
import type { ConnectionStore } from '../store/connection.store.js';
import type { SyncRow } from '../store/sync.rows.js';
import { leaseOf, type SyncStore } from '../store/sync.store.js';
import { LeaseLostError } from './walk-bucket.js';

export class EndSync {
  constructor(
    private readonly database: Database,
    private readonly syncs: SyncStore,
    private readonly connections: ConnectionStore,
    private readonly logger: Logger,
  ) {}

  async complete(sync: SyncRow): Promise<'completed'> {
    return this.database.transaction(async (transaction) => {
      await this.record(transaction, sync, null);
      const done = await this.syncs.complete(transaction, leaseOf(sync));
      if (!done) throw new LeaseLostError();
      await this.announce(transaction, done, null);
      return 'completed' as const;
    });
  }

  /** Every failure counts, whoever is to blame for it: what fails for ever ends. */
  async afterFailure(sync: SyncRow, error: unknown): Promise<'postponed' | 'failed'> {
    if (!(error instanceof BucketError))
      this.logger.error({ err: error, syncId: sync.id }, 'a sync met a fault of ours');
    const current = await this.syncs.find(sync.tenant_id, sync.id);
    const { error: fault, retryInSeconds } = syncFault(error, current?.failures ?? 0);
    if (retryInSeconds === null) return this.fail(sync, fault);
    await this.syncs.postpone(leaseOf(sync), retryInSeconds);
    return 'postponed';
  }

  private async fail(sync: SyncRow, fault: BucketFault): Promise<'failed'> {
    return this.database.transaction(async (transaction) => {
      await this.record(transaction, sync, fault);
      const failed = await this.syncs.fail(transaction, leaseOf(sync), fault);
      if (!failed) throw new LeaseLostError();
      await this.announce(transaction, failed, fault);
      return 'failed' as const;
    });
  }

  /** At the connection, which is locked before its sync, as its deletion does. */
  private async record(transaction: Transaction, sync: SyncRow, fault: BucketFault | null): Promise<void> {
    const connection = await this.connections.find(sync.tenant_id, sync.connection_id, transaction);
    if (connection) await this.connections.recordOutcome(connection, fault, transaction);
  }

  private async announce(transaction: Transaction, sync: SyncRow, error: BucketFault | null): Promise<void> {
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
