import {
  connectionsOperations as operations,
  type CallContext,
  type ConnectionsInput,
  type ConnectionsOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { CheckConnections } from './check-connections.usecase.js';
import { ManageConnections } from './manage-connections.usecase.js';
import { SetupInstructions } from './setup-instructions.usecase.js';

@Controller()
export class ConnectionsController {
  constructor(
    private readonly manage: ManageConnections,
    private readonly check: CheckConnections,
    private readonly setUp: SetupInstructions,
  ) {}

  @Operation(operations.createConnection)
  createConnection(
    input: ConnectionsInput<'createConnection'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'createConnection'>> {
    return this.manage.create(input, context);
  }

  @Operation(operations.verifyConnection)
  verifyConnection(
    input: ConnectionsInput<'verifyConnection'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'verifyConnection'>> {
    return this.check.verify(input, context);
  }

  @Operation(operations.listConnections)
  listConnections(
    input: ConnectionsInput<'listConnections'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'listConnections'>> {
    return this.manage.list(input, context);
  }

  @Operation(operations.getConnection)
  getConnection(
    input: ConnectionsInput<'getConnection'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'getConnection'>> {
    return this.manage.get(input, context);
  }

  @Operation(operations.updateConnection)
  updateConnection(
    input: ConnectionsInput<'updateConnection'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'updateConnection'>> {
    return this.check.update(input, context);
  }

  @Operation(operations.deleteConnection)
  deleteConnection(
    input: ConnectionsInput<'deleteConnection'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'deleteConnection'>> {
    return this.manage.remove(input, context);
  }

  @Operation(operations.testConnection)
  testConnection(
    input: ConnectionsInput<'testConnection'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'testConnection'>> {
    return this.check.test(input, context);
  }

  @Operation(operations.startConnection)
  async startConnection(input: ConnectionsInput<'startConnection'>): Promise<ConnectionsOutput<'startConnection'>> {
    return this.setUp.start(input);
  }

  @Operation(operations.listProviders)
  async listProviders(): Promise<ConnectionsOutput<'listProviders'>> {
    return this.setUp.listProviders();
  }
}
