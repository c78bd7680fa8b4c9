import { jobsOperations as operations, type CallContext, type JobsInput, type JobsOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { CheckJobs } from './check-jobs.usecase.js';
import { DeleteFileJobs } from './delete-file-jobs.usecase.js';
import { RequestJobs } from './request-jobs.usecase.js';

@Controller()
export class RequestsController {
  constructor(
    private readonly request: RequestJobs,
    private readonly check: CheckJobs,
    private readonly deletion: DeleteFileJobs,
  ) {}

  @Operation(operations.createJobs)
  createJobs(input: JobsInput<'createJobs'>, context: CallContext): Promise<JobsOutput<'createJobs'>> {
    return this.request.execute(input, context);
  }

  @Operation(operations.checkJobs)
  checkJobs(input: JobsInput<'checkJobs'>, context: CallContext): Promise<JobsOutput<'checkJobs'>> {
    return this.check.execute(input, context);
  }

  @Operation(operations.deleteJobs)
  deleteJobs(input: JobsInput<'deleteJobs'>, context: CallContext): Promise<JobsOutput<'deleteJobs'>> {
    return this.deletion.deleteNow(input, context);
  }
}
