import { Module } from '@nestjs/common';
import { BucketCallLimiter } from '../external-buckets/bucket-call-limiter.service.js';
import { ExternalBucketsModule } from '../external-buckets/external-buckets.module.js';
import { BucketAccess } from './bucket-access.service.js';
import { ConnectionBuckets } from './connection-buckets.service.js';
import { InputChecks } from './input-checks.service.js';
import { ConnectionStore } from './connection.store.js';
import { NotificationStateStore } from './notification-state.store.js';
import { LimitedBucketAccess, SIGNING_ACCESS } from './limited-bucket-access.service.js';

/** Signing needs a request to the provider only where Kiln assumes a role, and then once in some minutes. */
const SIGNATURES_PER_TENANT = 256;

const signingAccess = {
  provide: SIGNING_ACCESS,
  inject: [BucketAccess, BucketCallLimiter],
  useFactory: (buckets: BucketAccess, { requestTimeoutMs }: BucketCallLimiter) =>
    new LimitedBucketAccess(buckets, new BucketCallLimiter(requestTimeoutMs, SIGNATURES_PER_TENANT)),
};

/** Connections, and the buckets that they lead to. */
@Module({
  imports: [ExternalBucketsModule],
  providers: [
    ConnectionStore,
    InputChecks,
    NotificationStateStore,
    ConnectionBuckets,
    BucketAccess,
    LimitedBucketAccess,
    signingAccess,
  ],
  exports: [
    ExternalBucketsModule,
    ConnectionStore,
    InputChecks,
    NotificationStateStore,
    ConnectionBuckets,
    BucketAccess,
    LimitedBucketAccess,
    SIGNING_ACCESS,
  ],
})
export class BucketAccessModule {}
