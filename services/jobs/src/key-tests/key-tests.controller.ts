import { jobsWorkerOperations, type CallContext, type WorkerInput, type WorkerOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { TestExtractionKey } from './test-extraction-key.usecase.js';

@Controller()
export class KeyTestsController {
  constructor(private readonly keys: TestExtractionKey) {}

  @Operation(jobsWorkerOperations.testExtractionKey)
  testExtractionKey(
    input: WorkerInput<'testExtractionKey'>,
    context: CallContext,
  ): Promise<WorkerOutput<'testExtractionKey'>> {
    return this.keys.execute(input, context);
  }
}
