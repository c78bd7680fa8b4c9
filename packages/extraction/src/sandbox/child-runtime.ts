/** The main loop of a sandbox child. Receives one job at a time over IPC, runs an extractor, and sends the result. */
import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ExtractionError, unsupportedType } from '../extraction-error.js';
import type { Extractor, PageCounter } from '../extractor.js';
import { lockNetwork } from './network-lock.js';
import type { ChildMessage, ChildSettings, JobMessage } from './protocol.js';

export function readSettings(): ChildSettings {
  return JSON.parse(process.argv[2] ?? '') as ChildSettings;
}

/** An extractor that runs in the calling process. */
type LocalReader = Extractor & Partial<PageCounter>;

export function serveExtractions(extractors: readonly LocalReader[]): void {
  watchParent(readSettings().parentPid);
  lockNetwork();
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  process.on('disconnect', () => process.exit(0));
  process.on('message', (job: JobMessage) => {
    // The parent sends the next job after it has received the result.
    void run(job, extractors).then(send);
  });
  send({ type: 'ready' });
}

function watchParent(parentPid: number): void {
  const thread = new Worker(new URL('./parent-watch.js', import.meta.url), {
    workerData: parentPid,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
  });
  thread.unref();
  thread.once('error', () => process.exit(1));
}

async function run(job: JobMessage, extractors: readonly LocalReader[]): Promise<ChildMessage> {
  try {
    return await answer(job, extractors);
  } catch (error) {
    const known =
      error instanceof ExtractionError
        ? error
        : new ExtractionError('internal', `Reading "${job.input.filename}" failed on our side. Try again.`, {
            cause: error,
          });
    return { type: 'failed', id: job.id, code: known.code, message: known.message, retryable: known.retryable };
  }
}

async function answer({ id, task, input }: JobMessage, extractors: readonly LocalReader[]): Promise<ChildMessage> {
  const extractor = extractors.find((candidate) => candidate.supports(input.contentType));
  if (extractor === undefined) throw unsupportedType(input.filename, input.contentType);
  // To abort, the parent kills this process, so this signal is never used.
  const { signal } = new AbortController();
  if (task === 'extract') return { type: 'done', id, output: await extractor.extract(input, signal) };
  return { type: 'counted', id, pageCount: (await extractor.countPages?.(input, signal)) ?? null };
}

function send(message: ChildMessage): void {
  process.send?.(message);
}
