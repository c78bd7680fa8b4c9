// Connections: made, read, deleted. Nothing here asks a bucket, and no answer holds a credential.
import {
  authTypeOf,
  conflict,
  decodeCursor,
  notFound,
  pageOf,
  uuidOf,
  type BucketCredentials,
  type CallContext,
  type connectionsOperations,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import type { OutboundPolicy } from '@kiln/outbound';
import type { Sealer } from '@kiln/platform';
import { z } from 'zod';
import { sealCredentials } from '../adapters/bucket-credentials.js';
import { connectionView, type ConnectionRow } from '../store/connection.rows.js';
import type { ConnectionStore, NewConnection, SealedWithType } from '../store/connection.store.js';
import { acceptedCredentials } from './accepted-credentials.js';

type Operations = typeof connectionsOperations;
type Input<Name extends keyof Operations> = OperationInput<Operations[Name]>;
type Output<Name extends keyof Operations> = Promise<OperationOutput<Operations[Name]>>;

const positionSchema = z.tuple([z.iso.datetime(), z.uuid()]);

export const missingConnection = () => notFound('No connection has this id.');

export class ManageConnections {
  constructor(
    private readonly connections: ConnectionStore,
    private readonly policy: OutboundPolicy,
    private readonly sealer: Sealer,
    private readonly onDeleted: () => void,
  ) {}

  async create(input: Input<'createConnection'>, { tenantId }: CallContext): Output<'createConnection'> {
    const { credentials: given } = input;
    const credentials = given ? await acceptedCredentials(this.policy, { ...input, credentials: given }) : null;
    return connectionView(await this.keep(tenantId, input, credentials, 'pending'));
  }

  /** Throws CONFLICT when the tenant has as many as it may. */
  async keep(
    tenantId: string,
    input: Input<'createConnection'> | Input<'verifyConnection'>,
    credentials: BucketCredentials | null,
    status: NewConnection['status'],
  ): Promise<ConnectionRow> {
    const { provider, name, bucket, region, prefix } = input;
    const id = uuidOf('connection', input.id);
    const row = await this.connections.create({
      tenantId,
      id,
      provider,
      name,
      bucket,
      region: region ?? null,
      prefix: prefix ?? '',
      sealed: credentials && this.sealed(tenantId, id, credentials),
      status,
    });
    if (!row) throw conflict('There are as many connections as there may be. Delete one first.');
    return row;
  }

  /** `credentials` have just worked. */
  async change(
    tenantId: string,
    { id, name }: Input<'updateConnection'>,
    credentials: BucketCredentials | null,
  ): Promise<ConnectionRow> {
    const uuid = uuidOf('connection', id);
    const sealed = credentials && this.sealed(tenantId, uuid, credentials);
    const row = await this.connections.update(tenantId, uuid, { name, sealed });
    if (!row) throw missingConnection();
    return row;
  }

  private sealed(tenantId: string, id: string, credentials: BucketCredentials): SealedWithType {
    return {
      credentials: sealCredentials(this.sealer, { tenant_id: tenantId, id }, credentials),
      authType: authTypeOf[credentials.kind],
    };
  }

  async list(input: Input<'listConnections'>, { tenantId }: CallContext): Output<'listConnections'> {
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

  async get({ id }: Input<'getConnection'>, { tenantId }: CallContext): Output<'getConnection'> {
    const row = await this.connections.find(tenantId, uuidOf('connection', id));
    if (!row) throw missingConnection();
    return connectionView(row);
  }

  async remove({ id }: Input<'deleteConnection'>, { tenantId }: CallContext): Output<'deleteConnection'> {
    if (!(await this.connections.remove(tenantId, uuidOf('connection', id)))) throw missingConnection();
    this.onDeleted();
    return { deleted: true };
  }
}
