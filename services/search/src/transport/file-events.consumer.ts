import { filesEvents, uuidOf, type CloudEvent, type EventData } from '@kiln/contracts';
import { type EventContext } from '@kiln/platform';
import { OnEvent } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ForgetFiles } from '../usecases/forget-files.usecase.js';

type Deleted = EventData<typeof filesEvents.fileDeleted>;

@Controller()
export class FileEventsConsumer {
  constructor(private readonly forgetFiles: ForgetFiles) {}

  @OnEvent(filesEvents.fileDeleted)
  async onFileDeleted({ tenantid, data }: CloudEvent<Deleted>, context: EventContext): Promise<void> {
    await this.forgetFiles.request(context, tenantid, uuidOf('file', data.file_id));
  }
}
