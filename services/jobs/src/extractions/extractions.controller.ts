import { jobsOperations as operations, type CallContext, type JobsInput, type JobsOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { TakeResult } from './take-result.usecase.js';

@Controller()
export class ExtractionsController {
  constructor(private readonly results: TakeResult) {}

  @Operation(operations.getExtraction)
  getExtraction(input: JobsInput<'getExtraction'>, context: CallContext): Promise<JobsOutput<'getExtraction'>> {
    return this.results.get(input, context);
  }

  @Operation(operations.acceptExtraction)
  acceptExtraction(
    input: JobsInput<'acceptExtraction'>,
    context: CallContext,
  ): Promise<JobsOutput<'acceptExtraction'>> {
    return this.results.accept(input, context);
  }
}
