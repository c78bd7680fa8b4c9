import {
  filesOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ReadVariants } from './read-variants.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class VariantsController {
  constructor(private readonly readVariants: ReadVariants) {}

  @Operation(operations.listVariants)
  listVariants(input: Input<'listVariants'>, context: CallContext): Output<'listVariants'> {
    return this.readVariants.list(input, context);
  }

  @Operation(operations.getVariant)
  getVariant(input: Input<'getVariant'>, context: CallContext): Output<'getVariant'> {
    return this.readVariants.get(input, context);
  }

  @Operation(operations.getVariantContent)
  getVariantContent(input: Input<'getVariantContent'>, context: CallContext): Output<'getVariantContent'> {
    return this.readVariants.content(input, context);
  }
}
