import { jobsOperations as operations, type CallContext, type JobsInput, type JobsOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { CancelJob } from './cancel-job.usecase.js';
import { CheckJobs } from '../requests/check-jobs.usecase.js';
import { CountJobs } from './count-jobs.usecase.js';
import { GetJob } from './get-job.usecase.js';
import { ListJobs } from './list-jobs.usecase.js';
import { RequestJobs } from '../requests/request-jobs.usecase.js';
import { RetryJob } from './retry-job.usecase.js';

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
  createJobs(input: JobsInput<'createJobs'>, context: CallContext): Promise<JobsOutput<'createJobs'>> {
    return this.requestJobs.execute(input, context);
  }

  @Operation(operations.checkJobs)
  checkJobs(input: JobsInput<'checkJobs'>, context: CallContext): Promise<JobsOutput<'checkJobs'>> {
    return this.checkJobsUseCase.execute(input, context);
  }

  @Operation(operations.countJobs)
  countJobs(_input: JobsInput<'countJobs'>, context: CallContext): Promise<JobsOutput<'countJobs'>> {
    return this.countJobsUseCase.execute(context);
  }

  @Operation(operations.getJob)
  getJob(input: JobsInput<'getJob'>, context: CallContext): Promise<JobsOutput<'getJob'>> {
    return this.getJobUseCase.execute(input, context);
  }

  @Operation(operations.listJobs)
  listJobs(input: JobsInput<'listJobs'>, context: CallContext): Promise<JobsOutput<'listJobs'>> {
    return this.listJobsUseCase.execute(input, context);
  }

  @Operation(operations.cancelJob)
  cancelJob(input: JobsInput<'cancelJob'>, context: CallContext): Promise<JobsOutput<'cancelJob'>> {
    return this.cancelJobUseCase.execute(input, context);
  }

  @Operation(operations.retryJob)
  retryJob(input: JobsInput<'retryJob'>, context: CallContext): Promise<JobsOutput<'retryJob'>> {
    return this.retryJobUseCase.execute(input, context);
  }
}
