import {
  filesOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { BeginRuns } from './begin-runs.usecase.js';
import { FinishRuns } from './finish-runs.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class RunsController {
  constructor(
    private readonly begin: BeginRuns,
    private readonly finish: FinishRuns,
  ) {}

  @Operation(operations.beginRuns)
  beginRuns(input: Input<'beginRuns'>, context: CallContext): Output<'beginRuns'> {
    return this.begin.begin(input, context);
  }

  @Operation(operations.openSource)
  openSource(input: Input<'openSource'>, context: CallContext): Output<'openSource'> {
    return this.begin.openSource(input, context);
  }

  @Operation(operations.commitVariants)
  commitVariants(input: Input<'commitVariants'>, context: CallContext): Output<'commitVariants'> {
    return this.finish.commitVariants(input, context);
  }

  @Operation(operations.finishRuns)
  finishRuns(input: Input<'finishRuns'>, context: CallContext): Output<'finishRuns'> {
    return this.finish.finish(input, context);
  }
}
