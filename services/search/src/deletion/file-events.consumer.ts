import { filesEvents, uuidOf, type CloudEvent, type EventData } from '@kiln/contracts';
import { type EventContext } from '@kiln/platform';
import { OnEvent } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { RequestRemoval } from './request-removal.usecase.js';

type Deleted = EventData<typeof filesEvents.fileDeleted>;

@Controller()
export class FileEventsConsumer {
  constructor(private readonly requestRemoval: RequestRemoval) {}

  @OnEvent(filesEvents.fileDeleted)
  async onFileDeleted({ tenantid, data }: CloudEvent<Deleted>, context: EventContext): Promise<void> {
    await this.requestRemoval.execute(context, tenantid, uuidOf('file', data.file_id));
  }
}
