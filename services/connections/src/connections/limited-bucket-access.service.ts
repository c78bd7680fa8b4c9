// Opens the bucket of a connection for a caller who waits: within the limit of the tenant and the caller's deadline.
import type { CallContext } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { BucketCallLimiter } from '../external-buckets/bucket-call-limiter.service.js';
import { codedBucketError } from '../external-buckets/coded-bucket-error.errors.js';
import { BucketError } from '../external-buckets/domain/bucket-error.js';
import { BucketAccess, type OpenBucket } from './bucket-access.service.js';

/** Injection token of the access for signing, which rarely needs an answer of the provider and has a limit of its own. */
export const SIGNING_ACCESS = Symbol('signing access');

@Injectable()
export class LimitedBucketAccess {
  constructor(
    private readonly access: BucketAccess,
    private readonly limiter: BucketCallLimiter,
  ) {}

  /** Null when the connection does not exist. Throws CONFLICT, BUCKET_UNAVAILABLE or RATE_LIMITED. */
  async use<Result>(
    context: CallContext,
    connectionId: string,
    work: (opened: OpenBucket) => Promise<Result>,
  ): Promise<Result | null> {
    let bucket = 'of the connection';
    const workOn = (opened: OpenBucket) => {
      bucket = opened.connection.bucket;
      return work(opened);
    };
    try {
      return await this.limiter.run(context, () => this.access.use(context.tenantId, connectionId, workOn));
    } catch (error) {
      throw error instanceof BucketError ? codedBucketError(error, bucket) : error;
    }
  }
}
