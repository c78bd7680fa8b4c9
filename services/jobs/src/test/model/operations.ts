// Everything that can happen to the job engine, and its effect on the model.
import type { JobEngine } from './job-engine.js';
import type { JobModel } from './job-model.js';
import { setProcessClocks } from './process-clocks.js';
import { progressOf, type Run } from './run.js';

export interface Operation {
  title: string;
  perform(engine: JobEngine): Promise<unknown>;
  /** Changes the model; false when the answer is one that the model does not allow. */
  follow(model: JobModel, answer: unknown): boolean;
}

function operation<Answer>(
  title: string,
  perform: (engine: JobEngine) => Promise<Answer>,
  follow: (model: JobModel, answer: Answer) => boolean | void,
): Operation {
  return {
    title,
    perform,
    follow: (model, answer) => {
      const allowed = follow(model, answer as Answer) !== false;
      model.endIdleWaits();
      return allowed;
    },
  };
}

export const claim = operation(
  'claim',
  (engine) => engine.claim(),
  (model, run) => model.claim(run),
);
export const reclaim = operation(
  'reclaim',
  (engine) => engine.reclaim(),
  (model) => model.reclaim(),
);
export const moveClock = (units: number) =>
  operation(
    `clock ${units}`,
    (engine) => engine.moveClock(units),
    (model) => model.moveClock(units),
  );
/** What a worker does with the lease of a run. A run that has lost its lease still tries, and changes nothing. */
const ofRun =
  (
    title: string,
    perform: (engine: JobEngine, run: Run) => Promise<void>,
    change: (model: JobModel, run: Run) => void,
  ) =>
  (run: Run) =>
    operation(
      `${title} ${run.job}/${run.fence}`,
      (engine) => perform(engine, run),
      (model) => {
        if (model.holds(run)) change(model, run);
      },
    );
function end(model: JobModel, run: Run): void {
  model.end(model.job(run.job), 'completed', null, ['file.processing.completed']);
  model.job(run.job).progress = 1;
}
export const complete = ofRun('complete', (engine, run) => engine.complete(run), end);
export const fail = ofRun(
  'fail',
  (engine, run) => engine.failForGood(run),
  (model, run) => model.end(model.job(run.job), 'failed', 'corrupt_file', ['file.processing.failed', 'job.failed']),
);
export const giveUp = ofRun(
  'give up',
  (engine, run) => engine.giveUp(run),
  (model, run) => {
    const job = model.job(run.job);
    job.fence++;
    model.end(job, 'cancelled', null, ['job.cancelled']);
  },
);
export const tryAgain = ofRun(
  'try again',
  (engine, run) => engine.tryAgain(run, 1),
  (model, run) => {
    const job = model.job(run.job);
    job.failures++;
    model.enqueue(job, model.now + 1, { error: 'internal', runEnded: 'failed' });
  },
);
/** The steps that workers repeat. */
export const take = (jobsMax: number) =>
  operation(
    `claim ${jobsMax}`,
    (engine) => engine.take(jobsMax),
    (model, begun) => begun.length <= jobsMax && model.begin(begun),
  );
/** Completes these runs in one batch. */
export const completeTogether = (runs: readonly Run[]) =>
  operation(
    `complete ${runs.map(({ job, fence }) => `${job}/${fence}`).join(' and ') || 'none'}`,
    (engine) => engine.completeTogether(runs),
    (model, missed) => {
      for (const run of runs) {
        const isMissed = missed.some(({ job, fence }) => job === run.job && fence === run.fence);
        // In a batch a run may be missed because its job is locked. It is then completed separately.
        if (isMissed ? model.keepsOrder && model.holds(run) : !model.holds(run)) return false;
        if (!isMissed) end(model, run);
      }
      return true;
    },
  );
export const release = ofRun(
  'give back',
  (engine, run) => engine.release(run),
  (model, run) => model.enqueue(model.job(run.job), model.now, { runEnded: 'interrupted' }),
);
export const report = ofRun(
  'report',
  (engine, run) => engine.report(run),
  (model, run) => void (model.job(run.job).progress = progressOf(run)),
);
export const renew = (run: Run) =>
  operation(
    `renew ${run.job}/${run.fence}`,
    (engine) => engine.renew(run),
    (model, kept) => {
      model.renew(run);
      return kept === model.holds(run);
    },
  );

export const request = (number: number, tenant: number, ready: boolean) =>
  operation(
    `request ${number} of tenant ${tenant}${ready ? '' : ', not ready'}`,
    (engine) => engine.request(number, tenant, ready),
    (model) => model.add(number, tenant, ready),
  );
export const requestAgain = (number: number) =>
  operation(
    `request ${number} again`,
    (engine) => engine.requestAgain(number),
    (model) => {
      const job = model.job(number);
      if (!job.deleted && job.status === 'queued' && !job.ready) model.enqueue(job, model.now);
    },
  );
export const cancel = (number: number) =>
  operation(
    `cancel ${number}`,
    (engine) => engine.cancel(number),
    (model, cancelled) => {
      const job = model.job(number);
      const may = !job.deleted && (job.status === 'queued' || job.status === 'processing');
      if (may) {
        job.fence++;
        model.end(job, 'cancelled', null, ['job.cancelled']);
      }
      return cancelled === may;
    },
  );
export const retry = (number: number) =>
  operation(
    `retry ${number}`,
    (engine) => engine.retry(number),
    (model, retried) => {
      const job = model.job(number);
      const may = !job.deleted && job.status === 'failed';
      if (may) {
        Object.assign(job, { fence: job.fence + 1, failures: 0, lostLeases: 0 });
        job.events.push('job.retried');
        model.enqueue(job, model.now);
      }
      return retried === may;
    },
  );
export const expireUpload = (number: number) =>
  operation(
    `expire the upload of ${number}`,
    (engine) => engine.expireUploadOf(number),
    (model) => {
      const job = model.job(number);
      if (job.deleted || job.status !== 'queued' || job.ready) return;
      model.end(job, 'failed', 'upload_expired', ['file.processing.failed', 'job.failed']);
    },
  );
export const deleteFile = (number: number) =>
  operation(
    `delete the file of ${number}`,
    (engine) => engine.deleteFileOf(number),
    (model) => void (model.job(number).deleted = true),
  );
export const processClocks = (hours: number) =>
  operation(
    `clocks of processes wrong by ${hours} h`,
    async () => setProcessClocks(hours),
    () => undefined,
  );
