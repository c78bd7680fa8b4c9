// Checks storage for uploads that no notification has announced, and fails those whose signed URL has expired.
import { PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { SAFETY_POLL_MS } from '../config.js';
import { FIRST_CHECK_SECONDS } from './new-file.statements.js';
import { PendingUploadStore, type PendingUpload } from './pending-upload.store.js';
import { ReceiveUpload } from './receive-upload.usecase.js';

/** Longest sleep after another process has registered an upload; see PollingLoop. */
const POLL_MS = 5_000;
/** Look-ups in a round; also the most per pause that find nothing. */
const BATCH_SIZE = 40;
const PAUSE_MIN_MS = 1_000;

@Injectable()
export class PendingUploadsWorker extends PollingLoop {
  constructor(
    private readonly pendingUploads: PendingUploadStore,
    @Inject(ReceiveUpload) private readonly receiveUpload: Pick<ReceiveUpload, 'execute' | 'expire'>,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(SAFETY_POLL_MS) pollMs = POLL_MS,
  ) {
    super({
      name: 'Checking pending uploads',
      pollMs,
      pauseMinMs: PAUSE_MIN_MS,
      logger,
      round: () => this.round(),
      nextDueInMs: () => pendingUploads.nextDueInMs(),
    });
  }

  /** Wakes the worker when the first check of a new upload is due. */
  expectUpload(): void {
    this.wakeUp(FIRST_CHECK_SECONDS * 1_000);
  }

  /** Repeats at once only if many uploads have arrived, as happens where storage sends no notifications. */
  private async round(): Promise<boolean> {
    const due = await this.pendingUploads.claimDue(BATCH_SIZE);
    const arrived = await Promise.all(due.map((upload) => this.check(upload)));
    return arrived.filter(Boolean).length > BATCH_SIZE / 2;
  }

  /** Whether the upload has arrived. */
  private async check({ tenantId, fileId, expired }: PendingUpload): Promise<boolean> {
    try {
      const arrived = await this.receiveUpload.execute(tenantId, fileId);
      if (!arrived && expired) await this.receiveUpload.expire(tenantId, fileId);
      return arrived;
    } catch (error) {
      this.logger.warn({ err: error, fileId }, 'Check of a pending upload failed; it will be retried');
      return false;
    }
  }
}
