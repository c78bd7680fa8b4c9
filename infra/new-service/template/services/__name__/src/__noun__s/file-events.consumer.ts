import { filesEvents, uuidOf, type CloudEvent, type EventData } from '@kiln/contracts';
import type { EventContext } from '@kiln/platform';
import { OnEvent } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { RecordFile } from './record-file.usecase.js';

type Created = EventData<typeof filesEvents.fileCreated>;

@Controller()
export class FileEventsConsumer {
  constructor(private readonly recordFile: RecordFile) {}

  @OnEvent(filesEvents.fileCreated)
  async onFileCreated({ tenantid, data }: CloudEvent<Created>, context: EventContext): Promise<void> {
    const file = { tenantId: tenantid, fileId: uuidOf('file', data.file_id), filename: data.filename };
    await this.recordFile.execute(context, file);
  }
}
