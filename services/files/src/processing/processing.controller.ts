import { filesOperations as operations, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { FollowJob } from './follow-job.usecase.js';
import { PrepareRetry } from './prepare-retry.usecase.js';
import { ProcessFiles } from './process-files.usecase.js';

@Controller()
export class ProcessingController {
  constructor(
    private readonly process: ProcessFiles,
    private readonly follow: FollowJob,
    private readonly retry: PrepareRetry,
  ) {}

  @Operation(operations.processFiles)
  processFiles(input: FilesInput<'processFiles'>, context: CallContext): Promise<FilesOutput<'processFiles'>> {
    return this.process.execute(input, context);
  }

  @Operation(operations.followJob)
  followJob(input: FilesInput<'followJob'>, context: CallContext): Promise<FilesOutput<'followJob'>> {
    return this.follow.execute(input, context);
  }

  @Operation(operations.prepareRetry)
  prepareRetry(input: FilesInput<'prepareRetry'>, context: CallContext): Promise<FilesOutput<'prepareRetry'>> {
    return this.retry.execute(input, context);
  }
}
