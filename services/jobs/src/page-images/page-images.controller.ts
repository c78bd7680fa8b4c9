import { jobsWorkerOperations, type CallContext, type WorkerInput, type WorkerOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { DrawPage } from './draw-page.usecase.js';

@Controller()
export class PageImagesController {
  constructor(private readonly draw: DrawPage) {}

  @Operation(jobsWorkerOperations.drawPage)
  drawPage(input: WorkerInput<'drawPage'>, context: CallContext): Promise<WorkerOutput<'drawPage'>> {
    return this.draw.execute(input, context);
  }
}
