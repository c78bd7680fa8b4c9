import { Module } from '@nestjs/common';
import { BucketAccessModule } from '../connections/bucket-access.module.js';
import { DeleteNode } from './delete-node.usecase.js';
import { DownloadNode } from './download-node.usecase.js';
import { NodeStore } from './node.store.js';
import { NodesController } from './nodes.controller.js';
import { ReadNodes } from './read-nodes.usecase.js';

/** The files and folders that syncs found: read, downloaded and deleted by their owner. */
@Module({
  imports: [BucketAccessModule],
  controllers: [NodesController],
  providers: [NodeStore, ReadNodes, DeleteNode, DownloadNode],
  exports: [NodeStore],
})
export class NodesModule {}
