import {
  filesOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ReadSpaces } from './read-spaces.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class SpacesController {
  constructor(private readonly readSpaces: ReadSpaces) {}

  @Operation(operations.listSpaces)
  listSpaces(input: Input<'listSpaces'>, context: CallContext): Output<'listSpaces'> {
    return this.readSpaces.list(input, context);
  }

  @Operation(operations.countFiles)
  countFiles(_input: Input<'countFiles'>, context: CallContext): Output<'countFiles'> {
    return this.readSpaces.total(context);
  }

  @Operation(operations.getSpaceStats)
  getSpaceStats(input: Input<'getSpaceStats'>, context: CallContext): Output<'getSpaceStats'> {
    return this.readSpaces.stats(input, context);
  }
}
