// Starts and cancels syncs, and reports their progress and history.
import {
  conflict,
  decodeCursor,
  formatTimestamp,
  SYNC_WAIT_MS,
  pageOf,
  uuidOf,
  type CallContext,
  type ConnectionsInput,
  type ConnectionsOutput,
} from '@kiln/contracts';
import { WakeUp } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ConnectionStore } from '../connections/connection.store.js';
import { missingConnection } from '../connections/missing-connection.errors.js';
import { SYNC_CANCELLED, SYNC_DUE, SYNC_ENDED } from '../wake-ups.events.js';
import { progressOf } from './domain/sync-progress.js';
import { SyncWaiters } from './sync-waiters.service.js';
import { SyncStore } from './sync.store.js';
import { beginningOf } from './sync.rows.js';
import { syncView } from './sync.view.js';

/** Time reserved for the reply. */
const ANSWER_MS = 1_000;
const keyset = z.tuple([z.uuid()]);

@Injectable()
export class ManageSyncs {
  constructor(
    private readonly connections: ConnectionStore,
    private readonly syncs: SyncStore,
    private readonly waiters: SyncWaiters,
    private readonly wakeUp: WakeUp,
  ) {}

  async start(
    { connection_id, sync_id, force, ...limits }: ConnectionsInput<'startSync'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'startSync'>> {
    const until = Math.min(Date.now() + SYNC_WAIT_MS, context.deadlineAt - ANSWER_MS);
    const connectionId = uuidOf('connection', connection_id);
    await this.connections.setPlanLimits(context.tenantId, connectionId, limits);
    const sync = await this.syncs.start(context.tenantId, uuidOf('sync', sync_id), connectionId, force);
    if (sync === null) throw missingConnection();
    if (sync === 'busy') throw conflict('A sync of this connection is running. Wait until it has ended.');
    this.wakeUp.send(SYNC_DUE);
    return syncView(await this.waiters.wait(sync, until));
  }

  async cancel(
    { connection_id }: ConnectionsInput<'cancelSync'>,
    { tenantId }: CallContext,
  ): Promise<ConnectionsOutput<'cancelSync'>> {
    const connectionId = await this.existing(tenantId, connection_id);
    const cancelled = await this.syncs.cancel(tenantId, connectionId);
    if (cancelled === null) throw conflict('No sync of this connection is pending or running.');
    this.wakeUp.send(SYNC_CANCELLED);
    this.wakeUp.send(SYNC_ENDED);
    return syncView(cancelled);
  }

  async progress(
    { connection_id }: ConnectionsInput<'getSyncProgress'>,
    { tenantId }: CallContext,
  ): Promise<ConnectionsOutput<'getSyncProgress'>> {
    const connectionId = await this.existing(tenantId, connection_id);
    const sync = await this.syncs.newest(tenantId, connectionId);
    if (!sync) return { status: 'pending', synced: 0, total: null, percent: 0, eta_seconds: null, started_at: null };
    const { status } = sync;
    const started_at = beginningOf(sync);
    const synced = sync.synced_count;
    const { total, percent, etaSeconds } = progressOf({
      status,
      synced,
      expected: sync.expected_count,
      elapsedSeconds: started_at === null ? 0 : (Date.now() - started_at.getTime()) / 1_000,
    });
    return {
      status,
      synced,
      total,
      percent,
      eta_seconds: etaSeconds,
      started_at: started_at === null ? null : formatTimestamp(started_at),
    };
  }

  async history(
    input: ConnectionsInput<'listSyncs'>,
    { tenantId }: CallContext,
  ): Promise<ConnectionsOutput<'listSyncs'>> {
    const connectionId = await this.existing(tenantId, input.connection_id);
    const scope = `syncs:${tenantId}:${connectionId}`;
    const before = input.cursor === undefined ? undefined : decodeCursor(scope, input.cursor, keyset)[0];
    const rows = await this.syncs.list(tenantId, connectionId, before, input.limit + 1);
    const { limit } = input;
    const { items: syncs, next_cursor } = pageOf(rows, { limit, scope, view: syncView, keyset: ({ id }) => [id] });
    return { syncs, next_cursor };
  }

  private async existing(tenantId: string, id: string): Promise<string> {
    const connectionId = uuidOf('connection', id);
    if (!(await this.connections.find(tenantId, connectionId))) throw missingConnection();
    return connectionId;
  }
}
