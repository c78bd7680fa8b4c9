import { Module } from '@nestjs/common';
import { BatchesModule } from '../batches/batches.module.js';
import { DeletionModule } from '../deletion/deletion.module.js';
import { EventBacklog } from '../event-backlog.store.js';
import { ProcessingModule } from '../processing/processing.module.js';
import { SourcesModule } from '../sources/sources.module.js';
import { UpdatesModule } from '../updates/updates.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { AcceptSelection } from './accept-selection.usecase.js';
import { ConnectionEventsConsumer } from './connection-events.consumer.js';
import { ConnectionRunNotifier } from './connection-run-notifier.service.js';
import { ConnectionRunStore } from './connection-run.store.js';
import { ConnectionRunsWorker } from './connection-runs.worker.js';
import { ConnectionsController } from './connections.controller.js';
import { DeleteNodeFiles } from './delete-node-files.usecase.js';
import { ProcessConnection } from './process-connection.usecase.js';
import { ProcessNode } from './process-node.usecase.js';
import { QueueNodes } from './queue-nodes.usecase.js';
import { QueuePage } from './queue-page.usecase.js';
import { MoveNodeFiles } from './move-node-files.usecase.js';
import { NodeSelectionNotifier } from './node-selection-notifier.service.js';
import { NodeSelectionStore } from './node-selection.store.js';
import { NodeSelectionsWorker } from './node-selections.worker.js';
import { QueueSelection } from './queue-selection.usecase.js';
import { RemovedNodeStore } from './removed-node.store.js';

/** Makes files of the nodes of connections, and gives them jobs. */
@Module({
  imports: [SourcesModule, BatchesModule, ProcessingModule, DeletionModule, UploadsModule, UpdatesModule],
  controllers: [ConnectionsController, ConnectionEventsConsumer],
  providers: [
    RemovedNodeStore,
    DeleteNodeFiles,
    ConnectionRunStore,
    EventBacklog,
    QueueNodes,
    QueuePage,
    ProcessNode,
    ProcessConnection,
    ConnectionRunNotifier,
    ConnectionRunsWorker,
    NodeSelectionStore,
    MoveNodeFiles,
    AcceptSelection,
    QueueSelection,
    NodeSelectionNotifier,
    NodeSelectionsWorker,
  ],
})
export class ConnectionsModule {
  constructor(
    runs: ConnectionRunsWorker,
    runNotifier: ConnectionRunNotifier,
    selections: NodeSelectionsWorker,
    selectionNotifier: NodeSelectionNotifier,
  ) {
    runNotifier.connect(runs);
    selectionNotifier.connect(selections);
  }
}
