// Looks for uploads that no notification has announced, and ends those whose URL has run out.
import type { Logger } from '@kiln/platform';
import { PendingUploadStore, type PendingUpload } from '../store/pending-upload.store.js';
import { ReceiveUpload } from '../usecases/receive-upload.usecase.js';

/** Look-ups at a time, and the most in a second that find nothing: more would only ask storage the same again. */
const BATCH_SIZE = 40;
const POLL_MS = 1_000;

export class PendingUploadsWorker {
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> = Promise.resolve();
  private stopping = false;

  constructor(
    private readonly pendingUploads: PendingUploadStore,
    private readonly receiveUpload: Pick<ReceiveUpload, 'execute' | 'expire'>,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.timer = setTimeout(() => {
      this.round = this.runRound().finally(() => {
        if (!this.stopping) this.start();
      });
    }, POLL_MS);
  }

  /** Ends after the look-ups under way. */
  async stop(): Promise<void> {
    this.stopping = true;
    if (this.timer) clearTimeout(this.timer);
    await this.round;
  }

  private async runRound(): Promise<void> {
    try {
      let arrived: boolean[];
      do {
        const due = await this.pendingUploads.claimDue(BATCH_SIZE);
        arrived = await Promise.all(due.map((upload) => this.check(upload)));
        // At once again only while it is worth it: where storage announces nothing, many arrive in a second.
      } while (arrived.filter(Boolean).length > BATCH_SIZE / 2 && !this.stopping);
    } catch (error) {
      this.logger.warn({ err: error }, 'pending uploads not checked; the next round will');
    }
  }

  /** Whether the upload has arrived. */
  private async check({ tenantId, fileId, expired }: PendingUpload): Promise<boolean> {
    try {
      const arrived = await this.receiveUpload.execute(tenantId, fileId);
      if (!arrived && expired) await this.receiveUpload.expire(tenantId, fileId);
      return arrived;
    } catch (error) {
      this.logger.warn({ err: error, fileId }, 'pending upload not checked; it will be looked at again');
      return false;
    }
  }
}
