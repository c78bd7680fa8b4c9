import {
  filesOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { FollowJob } from '../usecases/follow-job.usecase.js';
import { PrepareRetry } from '../usecases/prepare-retry.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class JobsController {
  constructor(
    private readonly followJobUseCase: FollowJob,
    private readonly prepareRetryUseCase: PrepareRetry,
  ) {}

  @Operation(operations.followJob)
  followJob(input: Input<'followJob'>, context: CallContext): Output<'followJob'> {
    return this.followJobUseCase.execute(input, context);
  }

  @Operation(operations.prepareRetry)
  prepareRetry(input: Input<'prepareRetry'>, context: CallContext): Output<'prepareRetry'> {
    return this.prepareRetryUseCase.execute(input, context);
  }
}
