import {
  connectionsOperations as operations,
  type CallContext,
  type ConnectionsInput,
  type ConnectionsOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { OpenObjects } from './open-objects.usecase.js';

@Controller()
export class BucketObjectsController {
  constructor(private readonly objects: OpenObjects) {}

  @Operation(operations.listFileNodes)
  listFileNodes(
    input: ConnectionsInput<'listFileNodes'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'listFileNodes'>> {
    return this.objects.listFileNodes(input, context);
  }

  @Operation(operations.getSelectedNodes)
  getSelectedNodes(
    input: ConnectionsInput<'getSelectedNodes'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'getSelectedNodes'>> {
    return this.objects.getSelectedNodes(input, context);
  }

  @Operation(operations.statObjects)
  statObjects(input: ConnectionsInput<'statObjects'>, context: CallContext): Promise<ConnectionsOutput<'statObjects'>> {
    return this.objects.stat(input, context);
  }

  @Operation(operations.openObject)
  openObject(input: ConnectionsInput<'openObject'>, context: CallContext): Promise<ConnectionsOutput<'openObject'>> {
    return this.objects.open(input, context);
  }

  @Operation(operations.signObject)
  signObject(input: ConnectionsInput<'signObject'>, context: CallContext): Promise<ConnectionsOutput<'signObject'>> {
    return this.objects.sign(input, context);
  }
}
