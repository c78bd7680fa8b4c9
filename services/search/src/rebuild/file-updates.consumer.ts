import { filesEvents, type CloudEvent, type EventData } from '@kiln/contracts';
import { OnEvents } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ReindexFiles } from './reindex-files.usecase.js';

type Updated = EventData<typeof filesEvents.fileUpdated>;

@Controller()
export class FileUpdatesConsumer {
  constructor(private readonly reindexFiles: ReindexFiles) {}

  @OnEvents(filesEvents.fileUpdated)
  onFilesUpdated(events: CloudEvent<Updated>[]): Promise<void> {
    return this.reindexFiles.execute(
      events.map(({ id, tenantid, data }) => ({ tenantId: tenantid, fileId: data.file_id, requestId: id })),
    );
  }
}
