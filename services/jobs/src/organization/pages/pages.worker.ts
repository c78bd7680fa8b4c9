// Keeps page counts small: removes reservations that no longer count, and adds the usage of completed runs to the totals.
import { PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { PageReservationStore } from './page-reservation.store.js';
import { UsageStore } from './usage.store.js';

const SWEEP_INTERVAL_MS = 60_000;
const SWEEP_ROWS = 1_000;
/** How long the loop sleeps after it has summed up usage, and after it has found none. */
const SUM_INTERVAL_MS = 5_000;
const SUM_POLL_MS = 30_000;
const SUM_ROWS = 10_000;

@Injectable()
export class PagesWorker {
  private readonly loops: readonly PollingLoop[];

  constructor(reservations: PageReservationStore, usage: UsageStore, @Inject(LOGGER) logger: Logger) {
    let summed = 0;
    this.loops = [
      new PollingLoop({
        name: 'removing page reservations',
        pollMs: SWEEP_INTERVAL_MS,
        logger,
        round: async () => (await reservations.sweep(SWEEP_ROWS)) === SWEEP_ROWS,
      }),
      new PollingLoop({
        name: 'summing up usage',
        pollMs: SUM_POLL_MS,
        logger,
        round: async () => (summed = await usage.sumUp(SUM_ROWS)) === SUM_ROWS,
        nextDueInMs: () => Promise.resolve(summed > 0 ? SUM_INTERVAL_MS : null),
      }),
    ];
  }

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
