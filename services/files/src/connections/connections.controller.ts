import {
  filesOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ProcessConnection } from './process-connection.usecase.js';
import { ProcessNode } from './process-node.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class ConnectionsController {
  constructor(
    private readonly connection: ProcessConnection,
    private readonly node: ProcessNode,
  ) {}

  @Operation(operations.processConnection)
  processConnection(input: Input<'processConnection'>, context: CallContext): Output<'processConnection'> {
    return this.connection.execute(input, context);
  }

  @Operation(operations.processNode)
  processNode(input: Input<'processNode'>, context: CallContext): Output<'processNode'> {
    return this.node.execute(input, context);
  }
}
