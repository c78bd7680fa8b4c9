import { jobsEvents, uuidOf, type CloudEvent, type EventData } from '@kiln/contracts';
import { type EventContext } from '@kiln/platform';
import { OnEvent } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { FollowJob } from './follow-job.usecase.js';
import { RecordFailure } from './record-failure.usecase.js';

type Failed = EventData<typeof jobsEvents.processingFailed>;
type Changed = EventData<typeof jobsEvents.jobCancelled>;

@Controller()
export class JobEventsConsumer {
  constructor(
    private readonly recordFailure: RecordFailure,
    private readonly followJob: FollowJob,
  ) {}

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

  @OnEvent(jobsEvents.jobCancelled)
  async onJobCancelled({ tenantid, data }: CloudEvent<Changed>, { transaction }: EventContext): Promise<void> {
    await this.followJob.executeWithin(transaction, tenantid, { ...data, status: 'cancelled' });
  }

  @OnEvent(jobsEvents.jobRetried)
  async onJobRetried({ tenantid, data }: CloudEvent<Changed>, { transaction }: EventContext): Promise<void> {
    await this.followJob.executeWithin(transaction, tenantid, { ...data, status: 'queued' });
  }
}
