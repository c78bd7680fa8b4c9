// Creates, reads and deletes connections. Nothing here calls a bucket, and no output contains a credential.
import {
  authTypeOf,
  conflict,
  decodeCursor,
  pageOf,
  uuidOf,
  type BucketCredentials,
  type CallContext,
  type ConnectionsInput,
  type ConnectionsOutput,
} from '@kiln/contracts';
import { Sealer, WakeUp } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CONNECTION_DELETED, NOTIFICATIONS_CHANGED, SYNC_SCHEDULED } from '../wake-ups.events.js';
import { InputChecks } from './input-checks.service.js';
import { assertInventory } from './accepted-inventory.domain.js';
import type { ConnectionEntity } from './connection.entity.js';
import { ConnectionStore, type NewConnection, type SealedWithType } from './connection.store.js';
import { policiesOf } from './connection-policies.domain.js';
import { connectionView } from './connection.view.js';
import { missingConnection } from './missing-connection.errors.js';
import { sealCredentials } from './sealed-credentials.service.js';

const positionSchema = z.tuple([z.iso.datetime(), z.uuid()]);

@Injectable()
export class ManageConnections {
  constructor(
    private readonly connections: ConnectionStore,
    private readonly checks: InputChecks,
    private readonly sealer: Sealer,
    private readonly wakeUp: WakeUp,
  ) {}

  async create(
    input: ConnectionsInput<'createConnection'>,
    { tenantId }: CallContext,
  ): Promise<ConnectionsOutput<'createConnection'>> {
    const { credentials: given } = input;
    const credentials = given ? await this.checks.credentials({ ...input, credentials: given }) : null;
    await this.checks.notifications(input.provider, input.notifications);
    assertInventory(input.provider, input.inventory);
    return connectionView(await this.store(tenantId, input, credentials, 'pending'));
  }

  /** Throws CONFLICT when the tenant has the maximum number of connections. */
  async store(
    tenantId: string,
    input: ConnectionsInput<'createConnection'> | ConnectionsInput<'verifyConnection'>,
    credentials: BucketCredentials | null,
    status: NewConnection['status'],
  ): Promise<ConnectionEntity> {
    const { provider, name, bucket, region, prefix, listing_order, on_delete = 'delete' } = input;
    const id = uuidOf('connection', input.id);
    const row = await this.connections.create({
      tenant_id: tenantId,
      id,
      provider,
      name,
      bucket,
      region: region ?? null,
      prefix: prefix ?? '',
      listing_order,
      ...policiesOf(input),
      on_delete,
      ...(credentials ? this.sealed(tenantId, id, credentials) : { credentials: null, auth_type: null }),
      status,
    });
    if (!row) throw conflict('The maximum number of connections is reached. Delete one first.');
    this.wakeWorkers(row);
    return row;
  }

  /** `isTried`: the caller has tried `credentials` and `region` successfully. */
  async update(
    tenantId: string,
    { id, name, region, listing_order, ...policies }: ConnectionsInput<'updateConnection'>,
    { credentials, isTried }: { credentials: BucketCredentials | null; isTried: boolean },
  ): Promise<ConnectionEntity> {
    const uuid = uuidOf('connection', id);
    const sealed = credentials && this.sealed(tenantId, uuid, credentials);
    const row = await this.connections.update(tenantId, uuid, {
      name,
      region,
      listing_order,
      ...policiesOf(policies),
      sealed,
      isTried,
    });
    if (!row) throw missingConnection();
    this.wakeWorkers(row);
    return row;
  }

  private wakeWorkers(row: ConnectionEntity): void {
    if (row.next_sync_at !== null) this.wakeUp.send(SYNC_SCHEDULED);
    if (row.notification_queue !== null) this.wakeUp.send(NOTIFICATIONS_CHANGED);
  }

  private sealed(tenantId: string, id: string, credentials: BucketCredentials): SealedWithType {
    return {
      credentials: sealCredentials(this.sealer, { tenant_id: tenantId, id }, credentials),
      auth_type: authTypeOf[credentials.kind],
    };
  }

  async list(
    input: ConnectionsInput<'listConnections'>,
    { tenantId }: CallContext,
  ): Promise<ConnectionsOutput<'listConnections'>> {
    const scope = `connections:${tenantId}:created_at:asc`;
    const position = input.cursor === undefined ? null : decodeCursor(scope, input.cursor, positionSchema);
    const last = position && { createdAt: new Date(position[0]), id: position[1] };
    const rows = await this.connections.page(tenantId, last, input.limit + 1);
    const { items: connections, next_cursor } = pageOf(rows, {
      limit: input.limit,
      scope,
      view: connectionView,
      keyset: ({ created_at, id }) => [created_at.toISOString(), id],
    });
    return { connections, next_cursor };
  }

  async get(
    { id }: ConnectionsInput<'getConnection'>,
    { tenantId }: CallContext,
  ): Promise<ConnectionsOutput<'getConnection'>> {
    const row = await this.connections.find(tenantId, uuidOf('connection', id));
    if (!row) throw missingConnection();
    return connectionView(row);
  }

  async remove(
    { id }: ConnectionsInput<'deleteConnection'>,
    { tenantId }: CallContext,
  ): Promise<ConnectionsOutput<'deleteConnection'>> {
    if (!(await this.connections.remove(tenantId, uuidOf('connection', id)))) throw missingConnection();
    this.wakeUp.send(CONNECTION_DELETED);
    return { deleted: true };
  }
}
