import { Module } from '@nestjs/common';
import { BucketAccessModule } from '../connections/bucket-access.module.js';
import { NodeStore } from './node.store.js';
import { NodesController } from './nodes.controller.js';
import { ManageNodes } from './manage-nodes.usecase.js';

/** The files and folders that syncs found: read, downloaded and deleted by their owner. */
@Module({
  imports: [BucketAccessModule],
  controllers: [NodesController],
  providers: [NodeStore, ManageNodes],
  exports: [NodeStore],
})
export class NodesModule {}
