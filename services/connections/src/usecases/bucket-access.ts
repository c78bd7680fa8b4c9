// The bucket of a connection, opened for the use cases of syncs and nodes.
import type { ConnectionBuckets } from '../adapters/connection-buckets.js';
import type { OthersBucket } from '../domain/bucket.port.js';
import type { ConnectionRow } from '../store/connection.rows.js';
import type { ConnectionStore } from '../store/connection.store.js';

export interface OpenBucket {
  bucket: OthersBucket;
  connection: ConnectionRow;
}

export class BucketAccess {
  constructor(
    private readonly connections: ConnectionStore,
    private readonly buckets: ConnectionBuckets,
    /** For one answer of a store. */
    private readonly requestTimeoutMs: number,
  ) {}

  /** Null when there is no such connection. Throws BucketError. Closes the bucket whatever `work` does. */
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
