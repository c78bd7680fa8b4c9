import { Module } from '@nestjs/common';
import { BucketAccess } from '../connections/bucket-access.service.js';
import { ConnectionsModule } from '../connections/connections.module.js';
import { LimitedBucketAccess } from '../connections/limited-bucket-access.service.js';
import { BucketCallLimiter } from '../external-buckets/bucket-call-limiter.service.js';
import { ExternalBucketsModule } from '../external-buckets/external-buckets.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { FILES_ACCESS, OpenObjects } from './open-objects.usecase.js';

/** Of the files service at once: for the jobs of a tenant, and for files that are to be processed. */
const FILE_CALLS_PER_TENANT = 64;

const filesAccess = {
  provide: FILES_ACCESS,
  inject: [BucketAccess, BucketCallLimiter],
  useFactory: (access: BucketAccess, { requestTimeoutMs }: BucketCallLimiter) =>
    new LimitedBucketAccess(access, new BucketCallLimiter(requestTimeoutMs, FILE_CALLS_PER_TENANT)),
};

/** Objects of connected buckets, opened for the files service. */
@Module({
  imports: [ConnectionsModule, ExternalBucketsModule, NodesModule],
  providers: [filesAccess, OpenObjects],
  exports: [OpenObjects],
})
export class BucketObjectsModule {}
