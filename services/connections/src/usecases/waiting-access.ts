// The bucket of a connection for a caller who waits: within the tenant's slots and the caller's deadline, with faults as coded errors.
import type { CallContext } from '@kiln/contracts';
import { BucketError } from '../domain/bucket-error.js';
import type { BucketQuestions } from './ask-bucket.js';
import type { BucketAccess, OpenBucket } from './bucket-access.js';
import { codedBucketFault } from './bucket-fault.js';

export class WaitingAccess {
  constructor(
    private readonly access: BucketAccess,
    private readonly questions: BucketQuestions,
  ) {}

  /** Null when there is no such connection. Throws CONFLICT, BUCKET_UNAVAILABLE or RATE_LIMITED. */
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
      return await this.questions.ask(context, () => this.access.use(context.tenantId, connectionId, workOn));
    } catch (error) {
      throw error instanceof BucketError ? codedBucketFault(error, bucket) : error;
    }
  }
}
