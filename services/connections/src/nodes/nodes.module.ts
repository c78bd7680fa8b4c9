import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module.js';
import { DeleteNode } from './delete-node.usecase.js';
import { DownloadNode } from './download-node.usecase.js';
import { NodeStore } from './node.store.js';
import { ReadNodes } from './read-nodes.usecase.js';

/** The files and folders that syncs found: read, downloaded and deleted by their owner. */
@Module({
  imports: [ConnectionsModule],
  providers: [NodeStore, ReadNodes, DeleteNode, DownloadNode],
  exports: [NodeStore, ReadNodes, DeleteNode, DownloadNode],
})
export class NodesModule {}
