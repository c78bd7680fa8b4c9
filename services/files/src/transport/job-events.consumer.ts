import { jobsEvents, uuidOf, type CloudEvent, type EventData } from '@kiln/contracts';
import { type EventContext } from '@kiln/platform';
import { OnEvent } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { RecordFailure } from '../usecases/record-failure.usecase.js';

type Failed = EventData<typeof jobsEvents.processingFailed>;

@Controller()
export class JobEventsConsumer {
  constructor(private readonly recordFailure: RecordFailure) {}

  @OnEvent(jobsEvents.processingFailed)
  async onProcessingFailed({ tenantid, data }: CloudEvent<Failed>, { transaction }: EventContext): Promise<void> {
    const run = {
      tenantId: tenantid,
      fileId: uuidOf('file', data.file_id),
      jobId: uuidOf('job', data.job_id),
      fence: data.fence,
    };
    await this.recordFailure.execute(transaction, run);
  }
}
