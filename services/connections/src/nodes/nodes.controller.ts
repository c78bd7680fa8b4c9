import {
  connectionsOperations as operations,
  type CallContext,
  type ConnectionsInput,
  type ConnectionsOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { DeleteNode } from './delete-node.usecase.js';
import { DownloadNode } from './download-node.usecase.js';
import { ReadNodes } from './read-nodes.usecase.js';

@Controller()
export class NodesController {
  constructor(
    private readonly read: ReadNodes,
    private readonly remove: DeleteNode,
    private readonly download: DownloadNode,
  ) {}

  @Operation(operations.listNodes)
  listNodes(input: ConnectionsInput<'listNodes'>, context: CallContext): Promise<ConnectionsOutput<'listNodes'>> {
    return this.read.list(input, context);
  }

  @Operation(operations.getNode)
  getNode(input: ConnectionsInput<'getNode'>, context: CallContext): Promise<ConnectionsOutput<'getNode'>> {
    return this.read.get(input, context);
  }

  @Operation(operations.listChildren)
  listChildren(
    input: ConnectionsInput<'listChildren'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'listChildren'>> {
    return this.read.children(input, context);
  }

  @Operation(operations.deleteNode)
  deleteNode(input: ConnectionsInput<'deleteNode'>, context: CallContext): Promise<ConnectionsOutput<'deleteNode'>> {
    return this.remove.execute(input, context);
  }

  @Operation(operations.downloadNode)
  downloadNode(
    input: ConnectionsInput<'downloadNode'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'downloadNode'>> {
    return this.download.execute(input, context);
  }
}
