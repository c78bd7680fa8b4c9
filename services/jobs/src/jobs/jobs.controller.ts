import {
  jobsOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { CancelJob } from './cancel-job.usecase.js';
import { CheckJobs } from '../requests/check-jobs.usecase.js';
import { CountJobs } from './count-jobs.usecase.js';
import { GetJob } from './get-job.usecase.js';
import { ListJobs } from './list-jobs.usecase.js';
import { RequestJobs } from '../requests/request-jobs.usecase.js';
import { RetryJob } from './retry-job.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class JobsController {
  constructor(
    private readonly requestJobs: RequestJobs,
    private readonly checkJobsUseCase: CheckJobs,
    private readonly countJobsUseCase: CountJobs,
    private readonly getJobUseCase: GetJob,
    private readonly listJobsUseCase: ListJobs,
    private readonly cancelJobUseCase: CancelJob,
    private readonly retryJobUseCase: RetryJob,
  ) {}

  @Operation(operations.createJobs)
  createJobs(input: Input<'createJobs'>, context: CallContext): Output<'createJobs'> {
    return this.requestJobs.execute(input, context);
  }

  @Operation(operations.checkJobs)
  checkJobs(input: Input<'checkJobs'>, context: CallContext): Output<'checkJobs'> {
    return this.checkJobsUseCase.execute(input, context);
  }

  @Operation(operations.countJobs)
  countJobs(_input: Input<'countJobs'>, context: CallContext): Output<'countJobs'> {
    return this.countJobsUseCase.execute(context);
  }

  @Operation(operations.getJob)
  getJob(input: Input<'getJob'>, context: CallContext): Output<'getJob'> {
    return this.getJobUseCase.execute(input, context);
  }

  @Operation(operations.listJobs)
  listJobs(input: Input<'listJobs'>, context: CallContext): Output<'listJobs'> {
    return this.listJobsUseCase.execute(input, context);
  }

  @Operation(operations.cancelJob)
  cancelJob(input: Input<'cancelJob'>, context: CallContext): Output<'cancelJob'> {
    return this.cancelJobUseCase.execute(input, context);
  }

  @Operation(operations.retryJob)
  retryJob(input: Input<'retryJob'>, context: CallContext): Output<'retryJob'> {
    return this.retryJobUseCase.execute(input, context);
  }
}
