import { jobsOperations as operations, type CallContext, type JobsInput, type JobsOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { CancelJob } from './cancel-job.usecase.js';
import { CountJobs } from './count-jobs.usecase.js';
import { GetJob } from './get-job.usecase.js';
import { ListJobs } from './list-jobs.usecase.js';
import { RetryJob } from './retry-job.usecase.js';

@Controller()
export class JobsController {
  constructor(
    private readonly count: CountJobs,
    private readonly get: GetJob,
    private readonly list: ListJobs,
    private readonly cancel: CancelJob,
    private readonly retry: RetryJob,
  ) {}

  @Operation(operations.countJobs)
  countJobs(_input: JobsInput<'countJobs'>, context: CallContext): Promise<JobsOutput<'countJobs'>> {
    return this.count.execute(context);
  }

  @Operation(operations.getJob)
  getJob(input: JobsInput<'getJob'>, context: CallContext): Promise<JobsOutput<'getJob'>> {
    return this.get.execute(input, context);
  }

  @Operation(operations.listJobs)
  listJobs(input: JobsInput<'listJobs'>, context: CallContext): Promise<JobsOutput<'listJobs'>> {
    return this.list.execute(input, context);
  }

  @Operation(operations.cancelJob)
  cancelJob(input: JobsInput<'cancelJob'>, context: CallContext): Promise<JobsOutput<'cancelJob'>> {
    return this.cancel.execute(input, context);
  }

  @Operation(operations.retryJob)
  retryJob(input: JobsInput<'retryJob'>, context: CallContext): Promise<JobsOutput<'retryJob'>> {
    return this.retry.execute(input, context);
  }
}
