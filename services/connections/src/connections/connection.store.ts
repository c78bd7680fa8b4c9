// Connections as their owner sees them. A deleted connection is invisible, although its row stays until nothing belongs to it.
import { connectionsEvents, encodeId } from '@kiln/contracts';
import { appendEvents, Database, newEvent, statement, type NewEvent, type Transaction } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { CONNECTIONS_CONFIG, type ConnectionsConfig } from '../config.js';
import type { BucketFault } from '../external-buckets/domain/bucket-error.js';
import type { ConnectionPolicies } from './connection-policies.domain.js';
import { ConnectionEntity } from './connection.entity.js';

const COLUMNS = `tenant_id, id, provider, name, bucket, region, prefix, listing_order, on_delete, space, auto_process, on_change, rules,
  pages_limit, nodes_limit, sync_interval_minutes, paused, next_sync_at, notification_type, notification_queue, notification_error_code,
  notification_error, notification_received_at, inventory, credentials, auth_type, status, error_code, error, version, created_at, updated_at, deleted_at`;
/** A keyset page. */
const page = statement(
  'connections.page',
  `select ${COLUMNS} from connections
   where tenant_id = $1 and deleted_at is null and ($2::timestamptz is null or (created_at, id) > ($2, $3::uuid))
   order by created_at, id limit $4`,
);
/**
 * Fenced by the version: does nothing when the credentials have changed since they were tried. A connection that never worked stays
 * pending.
 */
const recordOutcome = statement(
  'connections.record_outcome',
  `update connections set
     status = case when $4::text is null then 'active' when status = 'pending' then 'pending' else 'error' end,
     error_code = $4, error = $5, updated_at = now()
   where tenant_id = $1 and id = $2 and version = $3 and deleted_at is null
   returning ${COLUMNS}`,
);

/** Writes nothing when the limit is the same, which it nearly always is. */
const setLimit = (column: keyof PlanLimits) =>
  statement(
    `connections.set_${column}`,
    `update connections set ${column} = $3 where tenant_id = $1 and id = $2 and ${column} is distinct from $3::bigint`,
  );
const setPagesLimit = setLimit('pages_limit');
const setNodesLimit = setLimit('nodes_limit');

/** A keyset page over the connections of all tenants. */
const sealed = statement(
  'connections.sealed',
  `select tenant_id, id, credentials from connections
   where credentials is not null and ($1::uuid is null or (tenant_id, id) > ($1, $2::uuid))
   order by tenant_id, id limit $3`,
);

export type SealedConnection = Pick<ConnectionEntity, 'tenant_id' | 'id'> & { credentials: Buffer };

/** Credentials that have just worked, or were given at creation. */
export type SealedWithType = Pick<ConnectionEntity, 'auth_type'> & { credentials: Buffer };

/** Of a plan. `pages_limit`: null without a hard limit. */
export interface PlanLimits {
  pages_limit?: number | null | undefined;
  nodes_limit?: number | undefined;
}

type PolicyColumn = keyof ConnectionPolicies;

export type NewConnection = Pick<
  ConnectionEntity,
  'tenant_id' | 'id' | 'provider' | 'name' | 'bucket' | 'region' | 'prefix' | 'credentials' | 'auth_type' | 'status'
> & { [Column in 'listing_order' | PolicyColumn]?: ConnectionEntity[Column] | undefined };

/** Undefined fields stay unchanged, and rules that are not named. */
export type ConnectionChanges = {
  [Column in 'name' | 'region' | 'listing_order' | PolicyColumn]?: ConnectionEntity[Column] | undefined;
};

export interface ConnectionPosition {
  createdAt: Date;
  id: string;
}

export type ConnectionRef = Pick<ConnectionEntity, 'tenant_id' | 'id' | 'version'>;

/** A new interval starts a sync at once; the same one changes nothing. */
const NEXT_SYNC_AFTER_CHANGE = `case when :interval::int is null then null
  when sync_interval_minutes is distinct from :interval::int then now() else next_sync_at end`;
const VERSION_RAISED = { version: () => 'version + 1' };

@Injectable()
export class ConnectionStore {
  constructor(
    private readonly database: Database,
    @InjectRepository(ConnectionEntity) private readonly connections: Repository<ConnectionEntity>,
    @Inject(CONNECTIONS_CONFIG) private readonly config: Pick<ConnectionsConfig, 'KILN_CONNECTIONS_MAX'>,
  ) {}

  /** Returns the new connection, or the one that an earlier identical call created. Null when the tenant has the maximum number. */
  create(connection: NewConnection): Promise<ConnectionEntity | null> {
    const { tenant_id, id, sync_interval_minutes: interval } = connection;
    const row = { ...connection, ...(interval != null && { next_sync_at: () => 'now()' }) };
    return this.database.transaction(async (transaction) => {
      // One creation at a time for each tenant, so that each counts those before it.
      await transaction.lock(`connections of ${tenant_id}`);
      const earlier = await this.find(tenant_id, id, transaction);
      if (earlier) return earlier;
      const connections = transaction.manager.getRepository(ConnectionEntity);
      if ((await connections.countBy({ tenant_id, deleted_at: IsNull() })) < this.config.KILN_CONNECTIONS_MAX)
        await connections.createQueryBuilder().insert().values(row).orIgnore().updateEntity(false).execute();
      const created = await this.find(tenant_id, id, transaction);
      if (created) await appendEvents(transaction, [stated(connectionsEvents.connectionCreated, tenant_id, id)]);
      return created;
    });
  }

  find(tenantId: string, id: string, { manager }: Partial<Transaction> = {}): Promise<ConnectionEntity | null> {
    const connections = manager?.getRepository(ConnectionEntity) ?? this.connections;
    return connections.findOneBy({ tenant_id: tenantId, id, deleted_at: IsNull() });
  }

  /** Oldest first, those after `last`. */
  page(tenantId: string, last: ConnectionPosition | null, limit: number): Promise<ConnectionEntity[]> {
    const values = [tenantId, last?.createdAt ?? null, last?.id ?? null, limit];
    return this.database.query<ConnectionEntity>(page, values);
  }

  /** Records the outcome of a test or sync; `fault` is null for success. Null when the connection was deleted or its credentials changed. */
  async recordOutcome(
    { tenant_id, id, version }: ConnectionRef,
    fault: BucketFault | null,
    queryable: Pick<Database, 'query'> = this.database,
  ): Promise<ConnectionEntity | null> {
    const values = [tenant_id, id, version, fault?.code ?? null, fault?.message ?? null];
    const [row] = await queryable.query<ConnectionEntity>(recordOutcome, values);
    return row ?? null;
  }

  /** `isTried`: the bucket has just worked with the credentials and the region. Null when no connection has this id. */
  async update(
    tenantId: string,
    id: string,
    change: ConnectionChanges & { sealed: SealedWithType | null; isTried: boolean },
  ): Promise<ConnectionEntity | null> {
    const { sealed: given, isTried, rules = {}, ...columns } = change;
    const { raw } = await this.connections
      .createQueryBuilder()
      .update()
      .set({
        ...columns,
        ...(columns.sync_interval_minutes !== undefined && { next_sync_at: () => NEXT_SYNC_AFTER_CHANGE }),
        ...(Object.keys(rules).length > 0 && { rules: () => 'rules || :rules::jsonb' }),
        ...given,
        ...(isTried && { status: 'active', error_code: null, error: null, ...VERSION_RAISED }),
        updated_at: () => 'now()',
      })
      .where({ tenant_id: tenantId, id, deleted_at: IsNull() })
      .setParameters({ interval: columns.sync_interval_minutes ?? null, rules: JSON.stringify(rules) })
      .returning('*')
      .execute();
    return (raw as ConnectionEntity[])[0] ?? null;
  }

  /** Sets the limits of the caller's plan that are given. Syncs that start on schedule use the last ones. */
  async setPlanLimits(tenantId: string, id: string, { pages_limit, nodes_limit }: PlanLimits): Promise<void> {
    if (pages_limit !== undefined) await this.database.query(setPagesLimit, [tenantId, id, pages_limit]);
    if (nodes_limit !== undefined) await this.database.query(setNodesLimit, [tenantId, id, nodes_limit]);
  }

  /** Removes the credentials at once; the purge removes the rest. False when no connection has this id. */
  remove(tenantId: string, id: string): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const { affected } = await transaction.manager
        .getRepository(ConnectionEntity)
        .update(
          { tenant_id: tenantId, id, deleted_at: IsNull() },
          { deleted_at: () => 'now()', credentials: null, auth_type: null, ...VERSION_RAISED },
        );
      if (affected !== 1) return false;
      await appendEvents(transaction, [stated(connectionsEvents.connectionDeleted, tenantId, id)]);
      return true;
    });
  }

  /** The sealed credentials of all tenants, in the order of their keys, those after `last`. */
  sealed(last: SealedConnection | null, limit: number): Promise<SealedConnection[]> {
    return this.database.query<SealedConnection>(sealed, [last?.tenant_id ?? null, last?.id ?? null, limit]);
  }

  /** False when the credentials were replaced or removed since they were read: new ones are sealed with the newest key already. */
  async reseal({ tenant_id, id, credentials }: SealedConnection, resealed: Buffer): Promise<boolean> {
    const { affected } = await this.connections.update({ tenant_id, id, credentials }, { credentials: resealed });
    return affected === 1;
  }
}

function stated(definition: typeof connectionsEvents.connectionCreated, tenantId: string, id: string): NewEvent {
  const connection_id = encodeId('connection', id);
  return newEvent({ definition, tenantId, subject: connection_id, data: { connection_id } });
}
