// Opens the bucket of a connection with its stored credentials.
import type { BucketCredentials } from '@kiln/contracts';
import { SealBrokenError, Sealer } from '@kiln/platform';
import type { ChangeQueue } from '@kiln/storage';
import { Injectable } from '@nestjs/common';
import { BucketOpener, type OpenOptions } from '../external-buckets/bucket-opener.service.js';
import { BucketError } from '../external-buckets/domain/bucket-error.js';
import type { ExternalBucket } from '../external-buckets/external-bucket.port.js';
import type { ConnectionEntity } from './connection.entity.js';
import type { SealedConnection } from './connection.store.js';
import { openCredentials } from './sealed-credentials.service.js';

@Injectable()
export class ConnectionBuckets {
  constructor(
    private readonly opener: BucketOpener,
    private readonly sealer: Sealer,
  ) {}

  /** Makes no request. The caller closes the bucket. Throws BucketError. */
  async open(row: ConnectionEntity, options: OpenOptions, bucket = row.bucket): Promise<ExternalBucket> {
    const { provider, region } = row;
    return this.opener.open({ provider, region, bucket }, this.credentialsOf(row), options);
  }

  /** Throws BucketError when there are none. */
  credentialsOf({ tenant_id, id, credentials }: ConnectionEntity): BucketCredentials {
    if (credentials === null) {
      const message = 'The connection has no credentials. Set them by PATCH /v1/connections/:id.';
      throw new BucketError('credentials_missing', message);
    }
    return this.opened({ tenant_id, id, credentials });
  }

  private opened(row: SealedConnection): BucketCredentials {
    try {
      return openCredentials(this.sealer, row);
    } catch (error) {
      if (!(error instanceof SealBrokenError)) throw error;
      const message =
        'Kiln cannot decrypt the credentials of this connection, because the operator has changed the encryption key. Set ' +
        'them again by PATCH /v1/connections/:id, or ask the operator.';
      throw new BucketError('not_configured', message, { cause: error });
    }
  }

  /** Closes the bucket after `work`. Throws BucketError. */
  async use<Result>(
    row: ConnectionEntity,
    options: OpenOptions,
    work: (bucket: ExternalBucket) => Promise<Result>,
  ): Promise<Result> {
    return this.useOther(row, row.bucket, options, work);
  }

  /** Another bucket, with the credentials of the connection. */
  async useOther<Result>(
    row: ConnectionEntity,
    name: string,
    options: OpenOptions,
    work: (bucket: ExternalBucket) => Promise<Result>,
  ): Promise<Result> {
    const bucket = await this.open(row, options, name);
    try {
      return await work(bucket);
    } finally {
      bucket.close();
    }
  }

  /** Closes the queue of the connection's notifications after `work`. Throws BucketError. */
  async useQueue<Result>(
    row: ConnectionEntity,
    options: OpenOptions,
    work: (queue: ChangeQueue) => Promise<Result>,
  ): Promise<Result> {
    const { notification_type: type, notification_queue: queue, region } = row;
    if (type === null || queue === null) throw new BucketError('refused', 'The connection has no notifications.');
    const opened = await this.opener.openQueue({ type, queue, region }, this.credentialsOf(row), options);
    try {
      return await work(opened);
    } finally {
      opened.close();
    }
  }
}
