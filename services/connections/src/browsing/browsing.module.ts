import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module.js';
import { ExternalBucketsModule } from '../external-buckets/external-buckets.module.js';
import { BrowseBuckets } from './browse-buckets.usecase.js';

/** Lists buckets and their objects as they are now, and stores nothing. */
@Module({
  imports: [ConnectionsModule, ExternalBucketsModule],
  providers: [BrowseBuckets],
  exports: [BrowseBuckets],
})
export class BrowsingModule {}
