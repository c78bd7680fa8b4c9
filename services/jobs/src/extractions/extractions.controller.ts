import {
  jobsOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { TakeResult } from './take-result.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class ExtractionsController {
  constructor(private readonly results: TakeResult) {}

  @Operation(operations.getExtraction)
  getExtraction(input: Input<'getExtraction'>, context: CallContext): Output<'getExtraction'> {
    return this.results.get(input, context);
  }

  @Operation(operations.acceptExtraction)
  acceptExtraction(input: Input<'acceptExtraction'>, context: CallContext): Output<'acceptExtraction'> {
    return this.results.accept(input, context);
  }
}
