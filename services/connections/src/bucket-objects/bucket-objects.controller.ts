import {
  connectionsOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { OpenObjects } from './open-objects.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class BucketObjectsController {
  constructor(private readonly objects: OpenObjects) {}

  @Operation(operations.listFileNodes)
  listFileNodes(input: Input<'listFileNodes'>, context: CallContext): Output<'listFileNodes'> {
    return this.objects.listFileNodes(input, context);
  }

  @Operation(operations.statObjects)
  statObjects(input: Input<'statObjects'>, context: CallContext): Output<'statObjects'> {
    return this.objects.stat(input, context);
  }

  @Operation(operations.openObject)
  openObject(input: Input<'openObject'>, context: CallContext): Output<'openObject'> {
    return this.objects.open(input, context);
  }

  @Operation(operations.signObject)
  signObject(input: Input<'signObject'>, context: CallContext): Output<'signObject'> {
    return this.objects.sign(input, context);
  }
}
