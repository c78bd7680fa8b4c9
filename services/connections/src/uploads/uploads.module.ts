import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConnectionsModule } from '../connections/connections.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { NodeUploadEntity } from './node-upload.entity.js';
import { NodeUploadStore } from './node-upload.store.js';
import { UploadNode } from './upload-node.usecase.js';

/** Uploads into connected buckets by signed URLs. */
@Module({
  imports: [TypeOrmModule.forFeature([NodeUploadEntity]), ConnectionsModule, NodesModule],
  providers: [NodeUploadStore, UploadNode],
  exports: [NodeUploadStore, UploadNode],
})
export class UploadsModule {}
