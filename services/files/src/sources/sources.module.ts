import { Module } from '@nestjs/common';
import { BucketObjects } from './bucket-objects.adapter.js';
import { ConnectionFileStore } from './connection-file.store.js';
import { OpenSource } from './open-source.usecase.js';
import { SourceBytes } from './source-bytes.service.js';

/** Where the bytes of a file are: in Kiln's own storage, or in an external bucket. */
@Module({
  providers: [ConnectionFileStore, BucketObjects, SourceBytes, OpenSource],
  exports: [ConnectionFileStore, BucketObjects, SourceBytes, OpenSource],
})
export class SourcesModule {}
