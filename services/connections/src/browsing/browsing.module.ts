import { Module } from '@nestjs/common';
import { BucketAccessModule } from '../connections/bucket-access.module.js';
import { BrowseBuckets } from './browse-buckets.usecase.js';
import { BrowsingController } from './browsing.controller.js';

/** Lists buckets and their objects as they are now, and stores nothing. */
@Module({ imports: [BucketAccessModule], controllers: [BrowsingController], providers: [BrowseBuckets] })
export class BrowsingModule {}
