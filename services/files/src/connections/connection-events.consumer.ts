import { connectionsEvents, uuidOf, type CloudEvent, type EventData } from '@kiln/contracts';
import type { EventContext } from '@kiln/platform';
import { OnEvent } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ObjectRemovalNotifier } from '../deletion/deletion-notifiers.service.js';
import { MoveNodeFiles } from './move-node-files.usecase.js';
import { NodeSelectionNotifier } from './node-selection-notifier.service.js';
import { AcceptSelection } from './accept-selection.usecase.js';
import { DeleteNodeFiles } from './delete-node-files.usecase.js';

type Removed = EventData<typeof connectionsEvents.nodesRemoved>;
type Moved = EventData<typeof connectionsEvents.nodesMoved>;
type Selected = EventData<typeof connectionsEvents.nodesSelected>;

@Controller()
export class ConnectionEventsConsumer {
  constructor(
    private readonly deleteNodeFiles: DeleteNodeFiles,
    private readonly removals: ObjectRemovalNotifier,
    private readonly moveNodeFiles: MoveNodeFiles,
    private readonly acceptSelection: AcceptSelection,
    private readonly selectionNotifier: NodeSelectionNotifier,
  ) {}

  @OnEvent(connectionsEvents.nodesSelected)
  async onNodesSelected(
    { tenantid: tenantId, data }: CloudEvent<Selected>,
    { transaction, afterCommit }: EventContext,
  ): Promise<void> {
    await this.acceptSelection.executeWithin(transaction, {
      tenantId,
      connectionId: uuidOf('connection', data.connection_id),
      nodeIds: data.node_ids.map((id) => uuidOf('node', id)),
    });
    afterCommit(() => this.selectionNotifier.wakeUp());
  }

  @OnEvent(connectionsEvents.nodesMoved)
  async onNodesMoved({ tenantid: tenantId, data }: CloudEvent<Moved>, { transaction }: EventContext): Promise<void> {
    await this.moveNodeFiles.executeWithin(transaction, {
      tenantId,
      connectionId: uuidOf('connection', data.connection_id),
      movedAt: new Date(data.moved_at),
      nodes: data.nodes.map(({ node_id, path, name }) => ({ nodeId: uuidOf('node', node_id), path, name })),
    });
  }

  @OnEvent(connectionsEvents.nodesRemoved)
  async onNodesRemoved(
    { tenantid: tenantId, data }: CloudEvent<Removed>,
    { transaction, afterCommit }: EventContext,
  ): Promise<void> {
    await this.deleteNodeFiles.executeWithin(transaction, {
      tenantId,
      connectionId: uuidOf('connection', data.connection_id),
      nodeIds: data.node_ids.map((id) => uuidOf('node', id)),
    });
    afterCommit(() => this.removals.wakeUp());
  }
}
