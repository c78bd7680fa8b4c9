import { jobsWorkerOperations, type CallContext, type WorkerOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { FindEngines } from './find-engines.usecase.js';

@Controller()
export class EnginesController {
  constructor(private readonly engines: FindEngines) {}

  @Operation(jobsWorkerOperations.findEngines)
  findEngines(_input: object, context: CallContext): Promise<WorkerOutput<'findEngines'>> {
    return this.engines.execute(context);
  }
}
