import { filesOperations as operations, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ProcessConnection } from './process-connection.usecase.js';
import { ProcessNode } from './process-node.usecase.js';

@Controller()
export class ConnectionsController {
  constructor(
    private readonly connection: ProcessConnection,
    private readonly node: ProcessNode,
  ) {}

  @Operation(operations.processConnection)
  processConnection(
    input: FilesInput<'processConnection'>,
    context: CallContext,
  ): Promise<FilesOutput<'processConnection'>> {
    return this.connection.execute(input, context);
  }

  @Operation(operations.processNode)
  processNode(input: FilesInput<'processNode'>, context: CallContext): Promise<FilesOutput<'processNode'>> {
    return this.node.execute(input, context);
  }
}
