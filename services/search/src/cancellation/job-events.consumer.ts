import { jobsEvents, type CloudEvent, type EventData } from '@kiln/contracts';
import { type EventContext } from '@kiln/platform';
import { OnEvent } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { FenceRuns } from './fence-runs.usecase.js';

type Cancelled = EventData<typeof jobsEvents.jobCancelled>;

@Controller()
export class JobEventsConsumer {
  constructor(private readonly refuseRuns: FenceRuns) {}

  @OnEvent(jobsEvents.jobCancelled)
  async onJobCancelled({ tenantid, data }: CloudEvent<Cancelled>, { transaction }: EventContext): Promise<void> {
    await this.refuseRuns.executeWithin(transaction, tenantid, data);
  }
}
