// Looks for uploads that no notification has announced, and ends those whose URL has run out.
import { PollingLoop, type Logger } from '@kiln/platform';
import { FIRST_CHECK_SECONDS } from '../store/new-file.statements.js';
import type { PendingUpload, PendingUploadStore } from '../store/pending-upload.store.js';
import type { ReceiveUpload } from '../usecases/receive-upload.usecase.js';

export interface PendingUploadsParts {
  pendingUploads: PendingUploadStore;
  receiveUpload: Pick<ReceiveUpload, 'execute' | 'expire'>;
  logger: Logger;
  pollMs?: number;
}

/** Longest wait for an upload that another process has announced. */
const POLL_MS = 5_000;
/** Look-ups at a time, and the most in a pause that find nothing: more would only ask storage the same again. */
const BATCH_SIZE = 40;
const PAUSE_MIN_MS = 1_000;

export class PendingUploadsWorker {
  private readonly loop: PollingLoop;

  constructor(private readonly parts: PendingUploadsParts) {
    const { pendingUploads, logger, pollMs = POLL_MS } = parts;
    this.loop = new PollingLoop({
      name: 'looking for pending uploads',
      pollMs,
      pauseMinMs: PAUSE_MIN_MS,
      logger,
      round: () => this.round(),
      nextDueInMs: () => pendingUploads.nextDueInMs(),
    });
  }

  start(): void {
    this.loop.start();
  }

  /** An upload is pending that was announced just now. */
  expect(): void {
    this.loop.wakeUp(FIRST_CHECK_SECONDS * 1_000);
  }

  /** Ends after the look-ups under way. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** At once again only while it is worth it: where storage announces nothing, many arrive in a second. */
  private async round(): Promise<boolean> {
    const due = await this.parts.pendingUploads.claimDue(BATCH_SIZE);
    const arrived = await Promise.all(due.map((upload) => this.check(upload)));
    return arrived.filter(Boolean).length > BATCH_SIZE / 2;
  }

  /** Whether the upload has arrived. */
  private async check({ tenantId, fileId, expired }: PendingUpload): Promise<boolean> {
    const { receiveUpload, logger } = this.parts;
    try {
      const arrived = await receiveUpload.execute(tenantId, fileId);
      if (!arrived && expired) await receiveUpload.expire(tenantId, fileId);
      return arrived;
    } catch (error) {
      logger.warn({ err: error, fileId }, 'pending upload not checked; it will be looked at again');
      return false;
    }
  }
}
