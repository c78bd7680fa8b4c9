import {
  filesOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { FollowJob } from './follow-job.usecase.js';
import { PrepareRetry } from './prepare-retry.usecase.js';
import { ProcessFiles } from './process-files.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class ProcessingController {
  constructor(
    private readonly process: ProcessFiles,
    private readonly follow: FollowJob,
    private readonly retry: PrepareRetry,
  ) {}

  @Operation(operations.processFiles)
  processFiles(input: Input<'processFiles'>, context: CallContext): Output<'processFiles'> {
    return this.process.execute(input, context);
  }

  @Operation(operations.followJob)
  followJob(input: Input<'followJob'>, context: CallContext): Output<'followJob'> {
    return this.follow.execute(input, context);
  }

  @Operation(operations.prepareRetry)
  prepareRetry(input: Input<'prepareRetry'>, context: CallContext): Output<'prepareRetry'> {
    return this.retry.execute(input, context);
  }
}
