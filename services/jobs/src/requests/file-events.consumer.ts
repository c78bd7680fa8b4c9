import { filesEvents, uuidOf, type CloudEvent, type EventData } from '@kiln/contracts';
import type { EventContext } from '@kiln/platform';
import { OnEvent, OnEvents } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { FailUpload } from './fail-upload.usecase.js';
import { DeleteFileJobs } from './delete-file-jobs.usecase.js';
import { RequestJob } from './request-job.usecase.js';
import { UpdateFileJobs } from './update-file-jobs.usecase.js';

type Requested = EventData<typeof filesEvents.processingRequested>;
type UploadFailed = EventData<typeof filesEvents.uploadFailed>;
type Updated = EventData<typeof filesEvents.fileUpdated>;
type Deleted = EventData<typeof filesEvents.fileDeleted>;

@Controller()
export class FileEventsConsumer {
  constructor(
    private readonly requestJob: RequestJob,
    private readonly failUpload: FailUpload,
    private readonly updateFileJobs: UpdateFileJobs,
    private readonly deleteFileJobs: DeleteFileJobs,
  ) {}

  @OnEvents(filesEvents.processingRequested)
  onProcessingRequested(events: CloudEvent<Requested>[]): Promise<void> {
    return this.requestJob.execute(events);
  }

  @OnEvent(filesEvents.uploadFailed)
  async onUploadFailed({ tenantid, data }: CloudEvent<UploadFailed>, { transaction }: EventContext): Promise<void> {
    if (data.job_id === null) return;
    const upload = { tenantId: tenantid, fileId: uuidOf('file', data.file_id), jobId: uuidOf('job', data.job_id) };
    await this.failUpload.execute(transaction, upload, data);
  }

  @OnEvent(filesEvents.fileUpdated)
  async onFileUpdated({ tenantid, data }: CloudEvent<Updated>, { transaction }: EventContext): Promise<void> {
    const { space, filename, edits } = data;
    const file = { tenantId: tenantid, fileId: uuidOf('file', data.file_id), space, filename, edits };
    await this.updateFileJobs.execute(transaction, file);
  }

  @OnEvent(filesEvents.fileDeleted)
  async onFileDeleted({ tenantid, data }: CloudEvent<Deleted>, context: EventContext): Promise<void> {
    await this.deleteFileJobs.execute(context, tenantid, uuidOf('file', data.file_id));
  }
}
