// Checks storage for uploads that no notification has announced, and fails uploads whose signed URL has expired. It serves
// tenants round robin, so a tenant whose uploads never arrive does not delay the others.
import { PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { inParallel, type ObjectStore } from '@kiln/storage';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { OBJECT_STORE, SAFETY_POLL_MS } from '../config.js';
import { findArrivals } from './find-arrivals.service.js';
import { PendingUploadStore, type UploadGroup } from './pending-upload.store.js';
import { ReceiveUpload } from './receive-upload.usecase.js';

/** Longest sleep after another process has registered an upload; see PollingLoop. */
const POLL_MS = 5_000;
/** The number of groups of uploads in a round. Each group costs a look-up or a listing. */
const GROUPS_MAX = 40;
const PAUSE_MIN_MS = 1_000;
/**
 * The number of arrivals and expiries of a group in a round, so that other groups do not wait for it. The rest is due again at
 * once.
 */
const RECORDED_MAX = 20;
const RECORDED_AT_A_TIME = 4;

@Injectable()
export class PendingUploadsWorker extends PollingLoop {
  constructor(
    private readonly pendingUploads: PendingUploadStore,
    @Inject(ReceiveUpload) private readonly receiveUpload: Pick<ReceiveUpload, 'execute' | 'expire'>,
    @Inject(OBJECT_STORE) private readonly objects: Pick<ObjectStore, 'head' | 'list'>,
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

  /** Another round follows at once only if many uploads have arrived, as happens if storage sends no notifications. */
  private async round(): Promise<boolean> {
    const groups = await this.pendingUploads.claimDue(GROUPS_MAX);
    const recorded = await Promise.all(groups.map((group) => this.check(group)));
    return recorded.reduce((sum, count) => sum + count, 0) > GROUPS_MAX / 2;
  }

  /** Returns how many uploads were recorded as arrived or expired. */
  private async check(group: UploadGroup): Promise<number> {
    const { tenantId } = group;
    try {
      const { arrived, missing } = await findArrivals(this.objects, group);
      const ended = [
        ...arrived.map(({ fileId }) => ({ fileId, write: () => this.receiveUpload.execute(tenantId, fileId) })),
        ...missing
          .filter(({ expired }) => expired)
          .map(({ fileId }) => ({ fileId, write: () => this.receiveUpload.expire(tenantId, fileId) })),
      ];
      const others = ended.splice(RECORDED_MAX).map(({ fileId }) => fileId);
      await this.pendingUploads.release(tenantId, others);
      let recorded = 0;
      await inParallel(ended, RECORDED_AT_A_TIME, async ({ fileId, write }) => {
        if (await this.record(fileId, write)) recorded++;
      });
      return recorded;
    } catch (error) {
      this.logger.warn({ err: error, tenantId }, 'Check of pending uploads failed; it will be retried');
      return 0;
    }
  }

  /** Returns false when it was not recorded. An upload that cannot be recorded does not delay the others of its group. */
  private async record(fileId: string, write: () => Promise<unknown>): Promise<boolean> {
    try {
      return (await write()) !== false;
    } catch (error) {
      this.logger.warn({ err: error, fileId }, 'Check of a pending upload failed; it will be retried');
      return false;
    }
  }
}
