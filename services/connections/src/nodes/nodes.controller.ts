import {
  connectionsOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { DeleteNode } from './delete-node.usecase.js';
import { DownloadNode } from './download-node.usecase.js';
import { ReadNodes } from './read-nodes.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class NodesController {
  constructor(
    private readonly read: ReadNodes,
    private readonly remove: DeleteNode,
    private readonly download: DownloadNode,
  ) {}

  @Operation(operations.listNodes)
  listNodes(input: Input<'listNodes'>, context: CallContext): Output<'listNodes'> {
    return this.read.list(input, context);
  }

  @Operation(operations.getNode)
  getNode(input: Input<'getNode'>, context: CallContext): Output<'getNode'> {
    return this.read.get(input, context);
  }

  @Operation(operations.listChildren)
  listChildren(input: Input<'listChildren'>, context: CallContext): Output<'listChildren'> {
    return this.read.children(input, context);
  }

  @Operation(operations.deleteNode)
  deleteNode(input: Input<'deleteNode'>, context: CallContext): Output<'deleteNode'> {
    return this.remove.execute(input, context);
  }

  @Operation(operations.downloadNode)
  downloadNode(input: Input<'downloadNode'>, context: CallContext): Output<'downloadNode'> {
    return this.download.execute(input, context);
  }
}
