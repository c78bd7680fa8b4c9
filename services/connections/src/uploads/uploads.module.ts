import { Module } from '@nestjs/common';
import { BucketAccessModule } from '../connections/bucket-access.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { NodeUploadStore } from './node-upload.store.js';
import { UploadNode } from './upload-node.usecase.js';
import { UploadsController } from './uploads.controller.js';

/** Uploads into connected buckets by signed URLs. */
@Module({
  imports: [BucketAccessModule, NodesModule],
  controllers: [UploadsController],
  providers: [NodeUploadStore, UploadNode],
})
export class UploadsModule {}
