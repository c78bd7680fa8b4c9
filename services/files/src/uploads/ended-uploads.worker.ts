// Checks ended uploads once more, when their signed URL accepts nothing any more: if other bytes have replaced theirs unnoticed,
// these must not exceed the limit. Parts that never became a file are removed. Every process runs it; rows are leased.
import { PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { inParallel } from '@kiln/storage';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { SAFETY_POLL_MS } from '../config.js';
import { AbortParts } from '../parts/abort-parts.usecase.js';
import { EndedUploadStore, type EndedUpload } from './ended-upload.store.js';
import { ReceiveUpload } from './receive-upload.usecase.js';

/** No caller waits for a last check, so the sleep may be long. */
const POLL_MS = 60_000;
const BATCH_SIZE = 100;
const LOOK_UPS_AT_A_TIME = 10;
/** A batch takes less time. */
const LEASE_SECONDS = 60;

@Injectable()
export class EndedUploadsWorker extends PollingLoop {
  constructor(
    private readonly endedUploads: EndedUploadStore,
    @Inject(ReceiveUpload) private readonly receiveUpload: Pick<ReceiveUpload, 'checkEnded'>,
    @Inject(AbortParts) private readonly abortParts: Pick<AbortParts, 'execute'>,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(SAFETY_POLL_MS) pollMs = POLL_MS,
  ) {
    super({
      name: 'Checking ended uploads',
      pollMs,
      logger,
      round: () => this.round(),
      nextDueInMs: () => endedUploads.nextDueInMs(),
    });
  }

  /** Checks one batch. Returns true when there may be more. */
  private async round(): Promise<boolean> {
    const claimed = await this.endedUploads.claimDue(BATCH_SIZE, LEASE_SECONDS);
    const checked: EndedUpload[] = [];
    await inParallel(claimed, LOOK_UPS_AT_A_TIME, async (upload) => {
      if (await this.isDone(upload)) checked.push(upload);
    });
    await this.endedUploads.remove(checked);
    // If a whole batch fails, storage is unavailable.
    return claimed.length === BATCH_SIZE && checked.length > 0;
  }

  private async isDone({ tenantId, fileId }: EndedUpload): Promise<boolean> {
    try {
      await this.abortParts.execute(tenantId, fileId);
      return await this.receiveUpload.checkEnded(tenantId, fileId);
    } catch (error) {
      this.logger.warn({ err: error, fileId }, 'Last check of an upload failed; it will be retried');
      return false;
    }
  }
}
