// Opens the bucket of a connection by the connection's id.
import type { ExternalBucket } from '../external-buckets/external-bucket.port.js';
import type { ConnectionBuckets } from './connection-buckets.service.js';
import type { ConnectionEntity } from './connection.entity.js';
import type { ConnectionStore } from './connection.store.js';

export interface OpenBucket {
  bucket: ExternalBucket;
  connection: ConnectionEntity;
}

export class BucketAccess {
  constructor(
    private readonly connections: ConnectionStore,
    private readonly buckets: ConnectionBuckets,
    /** For one call to the bucket. */
    private readonly requestTimeoutMs: number,
  ) {}

  /** Closes the bucket after `work`. Null when the connection does not exist. Throws BucketError. */
  async use<Result>(
    tenantId: string,
    connectionId: string,
    work: (opened: OpenBucket) => Promise<Result>,
  ): Promise<Result | null> {
    const connection = await this.connections.find(tenantId, connectionId);
    if (!connection) return null;
    const { requestTimeoutMs } = this;
    return this.buckets.use(connection, { requestTimeoutMs }, (bucket) => work({ bucket, connection }));
  }
}
