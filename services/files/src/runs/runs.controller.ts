import { filesOperations as operations, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { BeginRuns } from './begin-runs.usecase.js';
import { FinishRuns } from './finish-runs.usecase.js';

@Controller()
export class RunsController {
  constructor(
    private readonly begin: BeginRuns,
    private readonly finish: FinishRuns,
  ) {}

  @Operation(operations.beginRuns)
  beginRuns(input: FilesInput<'beginRuns'>, context: CallContext): Promise<FilesOutput<'beginRuns'>> {
    return this.begin.begin(input, context);
  }

  @Operation(operations.openSource)
  openSource(input: FilesInput<'openSource'>, context: CallContext): Promise<FilesOutput<'openSource'>> {
    return this.begin.openSource(input, context);
  }

  @Operation(operations.commitVariants)
  commitVariants(input: FilesInput<'commitVariants'>, context: CallContext): Promise<FilesOutput<'commitVariants'>> {
    return this.finish.commitVariants(input, context);
  }

  @Operation(operations.finishRuns)
  finishRuns(input: FilesInput<'finishRuns'>, context: CallContext): Promise<FilesOutput<'finishRuns'>> {
    return this.finish.finish(input, context);
  }
}
