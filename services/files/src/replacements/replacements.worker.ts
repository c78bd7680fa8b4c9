// Checks storage for bytes that replace the content of a file and that no notification has announced, fails uploads that have expired,
// and checks once more those that have arrived. Every process runs it; rows are leased.
import type { Logger } from '@kiln/platform';
import { PollingLoop } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { inParallel } from '@kiln/storage';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { SAFETY_POLL_MS } from '../config.js';
import { AbortParts } from '../parts/abort-parts.usecase.js';
import { ReceiveReplacement } from './receive-replacement.usecase.js';
import { ReplacementStore, type DueReplacement } from './replacement.store.js';

const POLL_MS = 5_000;
const PAUSE_MIN_MS = 1_000;
const BATCH_SIZE = 40;
const LOOK_UPS_AT_A_TIME = 10;

@Injectable()
export class ReplacementsWorker extends PollingLoop {
  constructor(
    private readonly replacements: ReplacementStore,
    @Inject(ReceiveReplacement)
    private readonly receive: Pick<ReceiveReplacement, 'execute' | 'expire' | 'checkEnded'>,
    @Inject(AbortParts) private readonly abortParts: Pick<AbortParts, 'execute'>,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(SAFETY_POLL_MS) pollMs = POLL_MS,
  ) {
    super({
      name: 'Checking replacements',
      pollMs,
      pauseMinMs: PAUSE_MIN_MS,
      logger,
      round: () => this.round(),
      nextDueInMs: () => replacements.nextDueInMs(),
    });
  }

  /** Checks one batch. The next one follows after a pause, which bounds the rate of look-ups. */
  private async round(): Promise<boolean> {
    const due = await this.replacements.claimDue(BATCH_SIZE);
    await inParallel(due, LOOK_UPS_AT_A_TIME, async (replacement) => {
      try {
        await this.check(replacement);
      } catch (error) {
        const { uploadId } = replacement;
        this.logger.warn({ err: error, uploadId }, 'Check of a replacement failed; it will be retried');
      }
    });
    return false;
  }

  private async check({ tenantId, uploadId, hasArrived, hasExpired }: DueReplacement): Promise<void> {
    if (hasArrived) {
      await this.abortParts.execute(tenantId, uploadId);
      await this.receive.checkEnded(tenantId, uploadId);
      return;
    }
    const hasEnded = await this.receive.execute(tenantId, uploadId);
    if (!hasEnded && hasExpired) await this.receive.expire(tenantId, uploadId);
  }
}
