import { filesEvents, uuidOf, type CloudEvent, type EventData } from '@kiln/contracts';
import { type EventContext } from '@kiln/platform';
import { OnEvent, OnEvents } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ClearReplaced } from './clear-replaced.usecase.js';
import { RequestRemoval } from './request-removal.usecase.js';

type Deleted = EventData<typeof filesEvents.fileDeleted>;
type Replaced = EventData<typeof filesEvents.fileReplaced>;

@Controller()
export class FileEventsConsumer {
  constructor(
    private readonly requestRemoval: RequestRemoval,
    private readonly clearReplaced: ClearReplaced,
  ) {}

  @OnEvent(filesEvents.fileDeleted)
  async onFileDeleted({ tenantid, data }: CloudEvent<Deleted>, context: EventContext): Promise<void> {
    await this.requestRemoval.execute(context, tenantid, uuidOf('file', data.file_id));
  }

  @OnEvents(filesEvents.fileReplaced)
  onFilesReplaced(events: CloudEvent<Replaced>[]): Promise<void> {
    return this.clearReplaced.execute(
      events.map(({ tenantid, data }) => ({
        tenantId: tenantid,
        fileId: uuidOf('file', data.file_id),
        formerJobNumber: data.former_job_number,
      })),
    );
  }
}
