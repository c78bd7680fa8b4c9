// Connections as their owner sees them. One that is deleted is seen by nobody, though its row stays until nothing hangs on it.
import type { StorageProviderId } from '@kiln/contracts';
import { statement, type Database, type Queryable } from '@kiln/platform';
import type { BucketFault } from '../domain/bucket-error.js';
import { CONNECTION_COLUMNS, type ConnectionRow } from './connection.rows.js';

/** Connections of one tenant are made one after the other, so that each sees those before it in its count. Held until the commit. */
const waitForTurn = statement(
  'connections.wait_for_turn',
  `select pg_advisory_xact_lock(hashtextextended('connections of ' || $1::uuid, 0))`,
);
/** A repeat of the same call finds its own row. */
const insert = statement(
  'connections.insert',
  `insert into connections (tenant_id, id, provider, name, bucket, region, prefix, credentials, auth_type, status)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
   where (select count(*) from connections where tenant_id = $1 and deleted_at is null) < $11
   on conflict (tenant_id, id) do nothing
   returning ${CONNECTION_COLUMNS}`,
);
const find = statement(
  'connections.find',
  `select ${CONNECTION_COLUMNS} from connections where tenant_id = $1 and id = $2 and deleted_at is null`,
);
const page = statement(
  'connections.page',
  `select ${CONNECTION_COLUMNS} from connections
   where tenant_id = $1 and deleted_at is null and ($2::timestamptz is null or (created_at, id) > ($2, $3::uuid))
   order by created_at, id limit $4`,
);
/** What has never worked stays pending. Only of the version that was tried: it may have other credentials by now. */
const recordOutcome = statement(
  'connections.record_outcome',
  `update connections set
     status = case when $4::text is null then 'active' when status = 'pending' then 'pending' else 'error' end,
     error_code = $4, error = $5, updated_at = now()
   where tenant_id = $1 and id = $2 and version = $3 and deleted_at is null
   returning ${CONNECTION_COLUMNS}`,
);
/** Null keeps what is there. Credentials are given when they have just worked. */
const update = statement(
  'connections.update',
  `update connections set
     name = coalesce($3, name), credentials = coalesce($4, credentials), auth_type = coalesce($5, auth_type),
     status = case when $4::bytea is null then status else 'active' end,
     error_code = case when $4::bytea is null then error_code end, error = case when $4::bytea is null then error end,
     version = version + case when $4::bytea is null then 0 else 1 end, updated_at = now()
   where tenant_id = $1 and id = $2 and deleted_at is null
   returning ${CONNECTION_COLUMNS}`,
);
/** The credentials go at once; what is found of the bucket goes in the background. */
const remove = statement(
  'connections.remove',
  `update connections set deleted_at = now(), credentials = null, auth_type = null, version = version + 1
   where tenant_id = $1 and id = $2 and deleted_at is null returning id`,
);

const sealed = statement(
  'connections.sealed',
  `select tenant_id, id, credentials from connections
   where credentials is not null and ($1::uuid is null or (tenant_id, id) > ($1, $2::uuid))
   order by tenant_id, id limit $3`,
);
/** Only over what was read: credentials that were replaced meanwhile are sealed with the newest already. */
const reseal = statement(
  'connections.reseal',
  'update connections set credentials = $4 where tenant_id = $1 and id = $2 and credentials = $3 returning 1',
);

export interface SealedConnection {
  tenant_id: string;
  id: string;
  credentials: Buffer;
}

export interface SealedWithType {
  credentials: Buffer;
  authType: string;
}

export interface NewConnection {
  tenantId: string;
  id: string;
  provider: StorageProviderId;
  name: string;
  bucket: string;
  region: string | null;
  prefix: string;
  sealed: SealedWithType | null;
  status: 'pending' | 'active';
}

export interface ConnectionPosition {
  createdAt: Date;
  id: string;
}

export type ConnectionRef = Pick<ConnectionRow, 'tenant_id' | 'id' | 'version'>;

export class ConnectionStore {
  constructor(
    private readonly database: Pick<Database, 'query' | 'transaction'>,
    /** Of one tenant. */
    private readonly connectionsMax: number,
  ) {}

  /** The new connection, or the one of an earlier identical call; null when the tenant has as many as it may. */
  async create(connection: NewConnection): Promise<ConnectionRow | null> {
    const { tenantId, id, provider, name, bucket, region, prefix, sealed, status } = connection;
    const place = [tenantId, id, provider, name, bucket, region, prefix];
    const kept = [sealed?.credentials ?? null, sealed?.authType ?? null, status, this.connectionsMax];
    return this.database.transaction(async (transaction) => {
      // A statement of its own: a statement sees what was committed before it began, not before it got the lock.
      await transaction.query(waitForTurn, [tenantId]);
      const [row] = await transaction.query<ConnectionRow>(insert, [...place, ...kept]);
      return row ?? this.find(tenantId, id, transaction);
    });
  }

  async find(tenantId: string, id: string, queryable: Queryable = this.database): Promise<ConnectionRow | null> {
    const [row] = await queryable.query<ConnectionRow>(find, [tenantId, id]);
    return row ?? null;
  }

  /** Oldest first, those after `last`. */
  page(tenantId: string, last: ConnectionPosition | null, limit: number): Promise<ConnectionRow[]> {
    const values = [tenantId, last?.createdAt ?? null, last?.id ?? null, limit];
    return this.database.query<ConnectionRow>(page, values);
  }

  /**
   * What came of a test or a sync: null for success. Null when the connection was deleted or changed meanwhile, of which the
   * outcome says nothing.
   */
  async recordOutcome(
    { tenant_id, id, version }: ConnectionRef,
    fault: BucketFault | null,
    queryable: Queryable = this.database,
  ): Promise<ConnectionRow | null> {
    const values = [tenant_id, id, version, fault?.code ?? null, fault?.message ?? null];
    const [row] = await queryable.query<ConnectionRow>(recordOutcome, values);
    return row ?? null;
  }

  /** Null when there is none. `sealed` has just worked. */
  async update(
    tenantId: string,
    id: string,
    changes: { name?: string | undefined; sealed: SealedWithType | null },
  ): Promise<ConnectionRow | null> {
    const { name, sealed: kept } = changes;
    const values = [tenantId, id, name ?? null, kept?.credentials ?? null, kept?.authType ?? null];
    const [row] = await this.database.query<ConnectionRow>(update, values);
    return row ?? null;
  }

  /** False when there is none. */
  async remove(tenantId: string, id: string): Promise<boolean> {
    return (await this.database.query(remove, [tenantId, id])).length > 0;
  }

  /** Those of all tenants that keep credentials, after `last`. */
  sealed(last: SealedConnection | null, limit: number): Promise<SealedConnection[]> {
    return this.database.query<SealedConnection>(sealed, [last?.tenant_id ?? null, last?.id ?? null, limit]);
  }

  /** False when the credentials were replaced or removed since they were read. */
  async reseal({ tenant_id, id, credentials }: SealedConnection, anew: Buffer): Promise<boolean> {
    return (await this.database.query(reseal, [tenant_id, id, credentials, anew])).length > 0;
  }
}
