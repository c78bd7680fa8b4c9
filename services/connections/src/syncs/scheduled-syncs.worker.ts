// Starts scheduled syncs when they are due. Part of the worker role.
import { PollingLoop, WakeUp, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { SYNC_DUE, SYNC_SCHEDULED } from '../wake-ups.events.js';
import { SyncScheduleStore } from './sync-schedule.store.js';

/** Finds schedules whose wake-up was lost. */
const POLL_MS = 30_000;
const SYNCS_PER_ROUND = 100;

@Injectable()
export class ScheduledSyncsWorker extends PollingLoop {
  constructor(schedules: SyncScheduleStore, wakeUp: WakeUp, @Inject(LOGGER) logger: Logger) {
    super({
      name: 'starting scheduled syncs',
      pollMs: POLL_MS,
      logger,
      round: async () => {
        const { due, started } = await schedules.startDue(SYNCS_PER_ROUND);
        if (started > 0) wakeUp.send(SYNC_DUE);
        return due === SYNCS_PER_ROUND;
      },
      nextDueInMs: () => schedules.nextDueInMs(),
    });
    wakeUp.listen(SYNC_SCHEDULED, () => this.wakeUp());
  }
}
