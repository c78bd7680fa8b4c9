// Which operations happen, to which job or run, and which of them at the same time.
import fc from 'fast-check';
import type { JobModel } from './job-model.js';
import {
  cancel,
  claim,
  complete,
  completeTogether,
  deleteFile,
  expireUpload,
  fail,
  release,
  giveUp,
  moveClock,
  reclaim,
  renew,
  report,
  request,
  requestAgain,
  retry,
  take,
  tryAgain,
  processClocks,
  type Operation,
} from './operations.js';
import type { Run } from './run.js';

export const TENANTS = 3;

/** What there is for something to happen to, and the number of the next job. */
export interface Scene extends Pick<JobModel, 'jobs' | 'runs'> {
  nextJob: () => number;
}

/** The next operation, before its job or run is known. Null when no job or run fits. */
export type Plan = (scene: Scene) => Operation | null;

/** `at` is 0..1. */
const pick = <Item>(items: Item[], at: number) => items[Math.min(items.length - 1, Math.floor(at * items.length))];
const share = fc.double({ min: 0, max: 1, noNaN: true });
const always = (operation: Operation) => fc.constant<Plan>(() => operation);
const ofJob =
  (make: (job: number) => Operation) =>
  (at: number): Plan =>
  (scene) => {
    const job = pick([...scene.jobs.keys()], at);
    return job === undefined ? null : make(job);
  };
const onJob = (make: (job: number) => Operation) => share.map(ofJob(make));
/** The newest run of a job. */
const ofItsRun =
  (make: (run: Run) => Operation) =>
  (at: number): Plan =>
  (scene) => {
    const job = pick([...scene.jobs.keys()], at);
    const run = scene.runs.findLast((each) => each.job === job);
    return run ? make(run) : null;
  };
/** Mostly the newest runs: the others ended long ago. */
const onRun = (make: (run: Run) => Operation) =>
  share.map((at): Plan => (scene) => {
    const run = pick(scene.runs, at ** (1 / 3));
    return run ? make(run) : null;
  });

const newJob = fc.tuple(fc.nat({ max: TENANTS - 1 }), fc.boolean()).map(
  ([tenant, ready]): Plan =>
    (scene) =>
      request(scene.nextJob(), tenant, ready),
);

const workerTakes = fc.integer({ min: 1, max: 3 }).map(
  (jobsMax): Plan =>
    () =>
      take(jobsMax),
);
/** A worker may still be at earlier runs of the same job, which it has lost and not heard of. */
const workerCompletes = fc
  .tuple(fc.array(share, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([shares, withEarlier]): Plan => ({ runs }) => {
    const chosen = new Set(shares.map((at) => pick(runs, at ** (1 / 3))).filter((run) => run !== undefined));
    const isChosen = (run: Run) => chosen.has(run) || (withEarlier && [...chosen].some(({ job }) => job === run.job));
    return chosen.size === 0 ? null : completeTogether(runs.filter(isChosen));
  });

/** What may happen at the same time as anything else. */
export const concurrentPlans: fc.Arbitrary<Plan>[] = [
  ...Array.from({ length: 3 }, () => newJob),
  ...Array.from({ length: 5 }, () => always(claim)),
  ...Array.from({ length: 2 }, () => onRun(complete)),
  ...Array.from({ length: 3 }, () => workerTakes),
  ...Array.from({ length: 3 }, () => workerCompletes),
  onJob(requestAgain),
  onRun(renew),
  onRun(report),
  onRun(fail),
  onRun(giveUp),
  onRun(release),
  onRun(tryAgain),
  always(reclaim),
  onJob(cancel),
  onJob(retry),
  onJob(expireUpload),
];
const contenders = [
  ...[complete, fail, giveUp, release, tryAgain, renew, report].map(ofItsRun),
  ...[cancel, retry, requestAgain, expireUpload].map(ofJob),
  () => () => claim,
  () => () => reclaim,
];
/** Some of what may happen at the same time to one job. */
export const contest = (atOnceMax: number): fc.Arbitrary<Plan[]> =>
  fc
    .tuple(share, fc.subarray(contenders, { minLength: 2, maxLength: atOnceMax }))
    .map(([at, chosen]) => chosen.map((contender) => contender(at)));

/**
 * What happens alone: a move of the clock is many statements, and a request that meets the deletion of its file may leave a
 * job for two minutes (src/store/deleted-file.store.ts).
 */
export const lonelyPlans: fc.Arbitrary<Plan>[] = [
  onJob(deleteFile),
  ...Array.from({ length: 3 }, () =>
    fc.integer({ min: 1, max: 3 }).map(
      (units): Plan =>
        () =>
          moveClock(units),
    ),
  ),
  always(moveClock(-1)),
  fc.integer({ min: -48, max: 48 }).map(
    (hours): Plan =>
      () =>
        processClocks(hours),
  ),
];
