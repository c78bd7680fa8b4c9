// What each engine is asked for, so that all are asked for the same.
import { setTimeout as delay } from 'node:timers/promises';

export interface JobEngine {
  readonly name: string;
  /** Queues so many jobs while nothing works on them. */
  fill(jobs: number): Promise<void>;
  /** Works all of them off; until each is written down as done. The jobs do nothing. */
  drain(jobs: number): Promise<void>;
  /** Throws unless the store says so of all of them; takes as long as it takes. */
  checkDrained?(): Promise<void>;
  /** Milliseconds from the call that queues a job to the beginning of its run, on a worker that waits for work. */
  pickUps(samples: number): Promise<number[]>;
  close(): Promise<void>;
}

/** Looks every 2 ms. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(2);
}

/** Queues jobs one after the other, each once the one before has begun. */
export async function timeEach(
  samples: number,
  add: () => Promise<unknown>,
  begun: () => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const startedAt = performance.now();
    const beginning = begun().then(() => performance.now());
    await add();
    times.push((await beginning) - startedAt);
  }
  return times;
}

/** Lets whoever awaits `next` know of the next `ring`. */
export class Bell {
  private waiting: (() => void)[] = [];

  ring(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  next(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
