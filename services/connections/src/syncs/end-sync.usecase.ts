// Ends or postpones a sync. The status of the sync, the status of its connection and the event are written in one transaction.
import { connectionsEvents, encodeId } from '@kiln/contracts';
import { appendEvents, Database, newEvent, type Logger, type Transaction } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionStore } from '../connections/connection.store.js';
import { BucketError, type BucketFault } from '../external-buckets/domain/bucket-error.js';
import { syncFault } from './domain/sync-fault.js';
import { LeaseLostError } from './lease-lost.errors.js';
import { listedVersion, type SyncRow } from './sync.rows.js';
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

  /**
   * Every failure counts, internal errors too, so that a sync that always fails ends. A failure with credentials that were replaced meanwhile
   * does not: the next claim begins again with the new ones.
   */
  async afterFailure(sync: SyncRow, error: unknown): Promise<'postponed' | 'failed' | 'yielded'> {
    if (!(error instanceof BucketError))
      this.logger.error({ err: error, syncId: sync.id }, 'Sync failed with an internal error');
    if (await this.isReplaced(sync)) {
      await this.syncs.release(leaseOf(sync));
      return 'yielded';
    }
    const current = (await this.syncs.find(sync.tenant_id, sync.id)) ?? sync;
    const { error: fault, retryInSeconds, isOfBucket, isResumable } = syncFault(error, current);
    if (retryInSeconds === null) return this.fail(sync, fault, isResumable);
    await this.syncs.postpone(leaseOf(sync), retryInSeconds, isOfBucket);
    return 'postponed';
  }

  /** Whether the credentials were replaced since the listing began. */
  private async isReplaced(sync: SyncRow): Promise<boolean> {
    const connection = await this.connections.find(sync.tenant_id, sync.connection_id);
    const version = listedVersion(sync);
    return connection !== null && version !== null && connection.version !== version;
  }

  private async fail(sync: SyncRow, fault: BucketFault, isResumable: boolean): Promise<'failed'> {
    return this.database.transaction(async (transaction) => {
      await this.record(transaction, sync, fault);
      const failed = await this.syncs.fail(transaction, leaseOf(sync), { ...fault, isResumable });
      if (!failed) throw new LeaseLostError();
      await this.emit(transaction, failed, fault);
      return 'failed' as const;
    });
  }

  /** Locks the connection before the sync, in the same order as the deletion of a connection. */
  private async record(transaction: Transaction, sync: SyncRow, fault: BucketFault | null): Promise<void> {
    const connection = await this.connections.find(sync.tenant_id, sync.connection_id, transaction);
    if (!connection) return;
    const { tenant_id, id } = connection;
    const version = listedVersion(sync) ?? connection.version;
    await this.connections.recordOutcome({ tenant_id, id, version }, fault, transaction);
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
