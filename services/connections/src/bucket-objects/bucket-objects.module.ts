import { Module } from '@nestjs/common';
import { BucketAccessModule } from '../connections/bucket-access.module.js';
import { BucketAccess } from '../connections/bucket-access.service.js';
import { LimitedBucketAccess } from '../connections/limited-bucket-access.service.js';
import { BucketCallLimiter } from '../external-buckets/bucket-call-limiter.service.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { BucketObjectsController } from './bucket-objects.controller.js';
import { FILES_ACCESS, OpenObjects } from './open-objects.usecase.js';

/** The maximum number of calls of the files service at once: for the jobs of a tenant, and for files that are to be processed. */
const FILE_CALLS_PER_TENANT = 64;

const filesAccess = {
  provide: FILES_ACCESS,
  inject: [BucketAccess, BucketCallLimiter],
  useFactory: (access: BucketAccess, { requestTimeoutMs }: BucketCallLimiter) =>
    new LimitedBucketAccess(access, new BucketCallLimiter(requestTimeoutMs, FILE_CALLS_PER_TENANT)),
};

/** Objects of connected buckets, opened for the files service. */
@Module({
  imports: [BucketAccessModule, NodesModule],
  controllers: [BucketObjectsController],
  providers: [filesAccess, OpenObjects],
})
export class BucketObjectsModule {}
