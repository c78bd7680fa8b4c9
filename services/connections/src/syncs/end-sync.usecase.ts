// Ends or postpones a sync. The status of the sync, the status of its connection and the event are written in one transaction.
import { connectionsEvents, encodeId } from '@kiln/contracts';
import { appendEvents, Database, newEvent, type Logger, type Transaction } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionStore } from '../connections/connection.store.js';
import { BucketError, type BucketFault } from '../external-buckets/domain/bucket-error.js';
import { LeaseLostError } from './bucket-listing.service.js';
import { syncFault } from './domain/sync-fault.js';
import type { SyncRow } from './sync.rows.js';
import { leaseOf, SyncStore } from './sync.store.js';

@Injectable()
export class EndSync {
  constructor(
    private readonly database: Database,
    private readonly syncs: SyncStore,
    private readonly connections: ConnectionStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async complete(sync: SyncRow): Promise<'completed'> {
    return this.database.transaction(async (transaction) => {
      await this.record(transaction, sync, null);
      const done = await this.syncs.complete(transaction, leaseOf(sync));
      if (!done) throw new LeaseLostError();
      await this.emit(transaction, done, null);
      return 'completed' as const;
    });
  }

  /** Every failure counts, internal errors too, so that a sync that always fails ends. */
  async afterFailure(sync: SyncRow, error: unknown): Promise<'postponed' | 'failed'> {
    if (!(error instanceof BucketError))
      this.logger.error({ err: error, syncId: sync.id }, 'Sync failed with an internal error');
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
      await this.emit(transaction, failed, fault);
      return 'failed' as const;
    });
  }

  /** Locks the connection before the sync, in the same order as the deletion of a connection. */
  private async record(transaction: Transaction, sync: SyncRow, fault: BucketFault | null): Promise<void> {
    const connection = await this.connections.find(sync.tenant_id, sync.connection_id, transaction);
    if (connection) await this.connections.recordOutcome(connection, fault, transaction);
  }

  private async emit(transaction: Transaction, sync: SyncRow, error: BucketFault | null): Promise<void> {
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
