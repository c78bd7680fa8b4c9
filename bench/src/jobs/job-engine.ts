// The common interface of the compared engines.
import { setTimeout as delay } from 'node:timers/promises';

export interface JobEngine {
  readonly name: string;
  /** Queues this many jobs while no worker runs. */
  fill(jobs: number): Promise<void>;
  /** Runs all jobs and waits until each is recorded as done. The jobs do nothing. */
  drain(jobs: number): Promise<void>;
  /**
   * Starts an idle worker. Returns functions that queue a job and stop the worker. `onRun` is called with the job's key when its
   * run starts.
   */
  wait(onRun: (key: string) => void): Promise<{ add: () => Promise<string>; stop: () => Promise<void> }>;
  /** The pids of its database sessions. */
  backendPids(): Promise<number[]>;
  close(): Promise<void>;
}

/** Polls every 2 ms. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(2);
}

/** Milliseconds from queueing a job to the start of its run, for jobs that arrive one every `everyMs`. */
export async function pickUps(engine: JobEngine, samples: number, everyMs: number): Promise<number[]> {
  const begun = new Map<string, number>();
  const { add, stop } = await engine.wait((key) => begun.set(key, performance.now()));
  await delay(1_000);
  const added = new Map<string, number>();
  const calls: Promise<void>[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const startedAt = performance.now();
    calls.push(add().then((key) => void added.set(key, startedAt)));
    await delay(everyMs);
  }
  await Promise.all(calls);
  await until(() => [...added.keys()].every((key) => begun.has(key)));
  await stop();
  return [...added].map(([key, startedAt]) => (begun.get(key) ?? Number.NaN) - startedAt);
}
