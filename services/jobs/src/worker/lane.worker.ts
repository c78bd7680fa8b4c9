// One worker for each lane, in one process.
import type { WakeUp } from '@kiln/platform';
import { lanes, type Lane } from '../claims/lane.domain.js';
import type { ClaimStore } from '../claims/claim.store.js';
import { jobsWakeUp, RUNS_ENDED_WAKE_UP } from '../wake-ups.events.js';
import { JobWorker, type JobWorkerOptions } from './job.worker.js';

export interface LaneWorkersParts extends Omit<
  JobWorkerOptions,
  'claims' | 'concurrency' | 'reserved' | 'sandboxes' | 'onReleased'
> {
  claimsOf: (lane: Lane) => ClaimStore;
  wakeUp: Pick<WakeUp, 'sendShared' | 'listen' | 'listenShared'>;
  room: Record<Lane, Pick<JobWorkerOptions, 'concurrency' | 'reserved' | 'sandboxes'>>;
}

export class LaneWorkers {
  private readonly workers: readonly { lane: Lane; worker: JobWorker }[];
  private stopListening: (() => void)[] = [];

  constructor(private readonly parts: LaneWorkersParts) {
    const { claimsOf, wakeUp, room, ...common } = parts;
    this.workers = lanes.map((lane) => {
      const onReleased = () => wakeUp.sendShared(jobsWakeUp(lane));
      return { lane, worker: new JobWorker({ ...common, ...room[lane], claims: claimsOf(lane), onReleased }) };
    });
  }

  start(): void {
    const { wakeUp } = this.parts;
    for (const { lane, worker } of this.workers) {
      worker.start();
      this.stopListening.push(
        wakeUp.listenShared(jobsWakeUp(lane), () => worker.wakeUp()),
        wakeUp.listen(RUNS_ENDED_WAKE_UP, () => worker.checkLeases()),
      );
    }
  }

  get runningCount(): number {
    return this.workers.reduce((sum, { worker }) => sum + worker.runningCount, 0);
  }

  /** False while faults of the machine or of a part of Kiln keep the worker of a lane from claiming jobs. */
  isClaiming(lane: Lane): boolean {
    return this.workers.every(({ lane: other, worker }) => other !== lane || worker.isClaiming);
  }

  async stop(): Promise<void> {
    for (const stop of this.stopListening) stop();
    await Promise.all(this.workers.map(({ worker }) => worker.stop()));
  }
}
