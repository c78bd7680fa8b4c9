// Opens the bucket of a connection by the connection's id.
import { Inject, Injectable } from '@nestjs/common';
import { BucketCallLimiter } from '../external-buckets/bucket-call-limiter.service.js';
import type { OpenOptions } from '../external-buckets/bucket-opener.service.js';
import type { ExternalBucket } from '../external-buckets/external-bucket.port.js';
import { ConnectionBuckets } from './connection-buckets.service.js';
import type { ConnectionEntity } from './connection.entity.js';
import { ConnectionStore } from './connection.store.js';

export interface OpenBucket {
  bucket: ExternalBucket;
  connection: ConnectionEntity;
}

@Injectable()
export class BucketAccess {
  constructor(
    private readonly connections: ConnectionStore,
    private readonly buckets: ConnectionBuckets,
    @Inject(BucketCallLimiter) private readonly options: OpenOptions,
  ) {}

  /** Another bucket, with the credentials of the connection. Closes it after `work`. Throws BucketError. */
  useOther<Result>(
    connection: ConnectionEntity,
    bucket: string,
    work: (opened: ExternalBucket) => Promise<Result>,
  ): Promise<Result> {
    return this.buckets.useOther(connection, bucket, this.options, work);
  }

  /** Closes the bucket after `work`. Null when the connection does not exist. Throws BucketError. */
  async use<Result>(
    tenantId: string,
    connectionId: string,
    work: (opened: OpenBucket) => Promise<Result>,
  ): Promise<Result | null> {
    const connection = await this.connections.find(tenantId, connectionId);
    if (!connection) return null;
    return this.buckets.use(connection, this.options, (bucket) => work({ bucket, connection }));
  }
}
