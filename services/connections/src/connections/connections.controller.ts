import {
  connectionsOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { CheckConnections } from './check-connections.usecase.js';
import { ManageConnections } from './manage-connections.usecase.js';
import { SetupInstructions } from './setup-instructions.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class ConnectionsController {
  constructor(
    private readonly manage: ManageConnections,
    private readonly check: CheckConnections,
    private readonly setUp: SetupInstructions,
  ) {}

  @Operation(operations.createConnection)
  createConnection(input: Input<'createConnection'>, context: CallContext): Output<'createConnection'> {
    return this.manage.create(input, context);
  }

  @Operation(operations.verifyConnection)
  verifyConnection(input: Input<'verifyConnection'>, context: CallContext): Output<'verifyConnection'> {
    return this.check.verify(input, context);
  }

  @Operation(operations.listConnections)
  listConnections(input: Input<'listConnections'>, context: CallContext): Output<'listConnections'> {
    return this.manage.list(input, context);
  }

  @Operation(operations.getConnection)
  getConnection(input: Input<'getConnection'>, context: CallContext): Output<'getConnection'> {
    return this.manage.get(input, context);
  }

  @Operation(operations.updateConnection)
  updateConnection(input: Input<'updateConnection'>, context: CallContext): Output<'updateConnection'> {
    return this.check.update(input, context);
  }

  @Operation(operations.deleteConnection)
  deleteConnection(input: Input<'deleteConnection'>, context: CallContext): Output<'deleteConnection'> {
    return this.manage.remove(input, context);
  }

  @Operation(operations.testConnection)
  testConnection(input: Input<'testConnection'>, context: CallContext): Output<'testConnection'> {
    return this.check.test(input, context);
  }

  @Operation(operations.startConnection)
  async startConnection(input: Input<'startConnection'>): Output<'startConnection'> {
    return this.setUp.start(input);
  }

  @Operation(operations.listProviders)
  async listProviders(): Output<'listProviders'> {
    return this.setUp.listProviders();
  }
}
