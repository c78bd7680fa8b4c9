import {
  connectionsOperations as operations,
  type CallContext,
  type ConnectionsInput,
  type ConnectionsOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ManageNodes } from './manage-nodes.usecase.js';

@Controller()
export class NodesController {
  constructor(private readonly nodes: ManageNodes) {}

  @Operation(operations.listNodes)
  listNodes(input: ConnectionsInput<'listNodes'>, context: CallContext): Promise<ConnectionsOutput<'listNodes'>> {
    return this.nodes.list(input, context);
  }

  @Operation(operations.getNode)
  getNode(input: ConnectionsInput<'getNode'>, context: CallContext): Promise<ConnectionsOutput<'getNode'>> {
    return this.nodes.get(input, context);
  }

  @Operation(operations.listChildren)
  listChildren(
    input: ConnectionsInput<'listChildren'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'listChildren'>> {
    return this.nodes.children(input, context);
  }

  @Operation(operations.deleteNode)
  deleteNode(input: ConnectionsInput<'deleteNode'>, context: CallContext): Promise<ConnectionsOutput<'deleteNode'>> {
    return this.nodes.remove(input, context);
  }

  @Operation(operations.downloadNode)
  downloadNode(
    input: ConnectionsInput<'downloadNode'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'downloadNode'>> {
    return this.nodes.download(input, context);
  }
}
