import {
  filesOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ReadBatch } from './read-batch.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class BatchesController {
  constructor(private readonly readBatch: ReadBatch) {}

  @Operation(operations.getBatch)
  getBatch(input: Input<'getBatch'>, context: CallContext): Output<'getBatch'> {
    return this.readBatch.execute(input, context);
  }
}
