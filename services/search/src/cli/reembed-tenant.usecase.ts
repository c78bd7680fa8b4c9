// Embeds the files of a tenant with another model, by calls to the search service. First it stages the vectors of all files, while searches use the
// current vectors. Then it switches the files to the staged vectors. It stores no progress: a repeated run skips staged files.
import { CodedError, searchOperations, type StagedFile } from '@kiln/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import { inCalls, type OperatorCalls } from './operator-calls.usecase.js';

const FILES_PER_CALL = 10;
const FILES_PER_SWITCH = 50;
/** One call may not finish a long file, and a provider can be unavailable for minutes. */
const TRIES = 60;
const RETRY_MS = 5_000;

export interface ReembedOptions {
  /** Null: the model of the organization's settings. */
  model: string | null;
  /** Files that cannot be embedded keep their vectors, and the others get new ones. */
  isPartial: boolean;
  wait?: (milliseconds: number) => Promise<unknown>;
}

export interface ReembedProgress {
  phase: 'embed' | 'switch';
  model: string;
  /** Files of the phase. */
  done: number;
  total: number;
  /** Of this page. */
  failed: StagedFile[];
}

type Totals = { total: number; failed: number };

/** Yields after each page of files. Returns without a switch if a file failed, unless `isPartial`. */
export async function* reembedTenant(calls: OperatorCalls, options: ReembedOptions): AsyncGenerator<ReembedProgress> {
  const totals: Totals = { total: 0, failed: 0 };
  for await (const ids of calls.indexedPages(null)) totals.total += ids.length;
  let model: string | null = null;
  for await (const progress of stageAll(calls, options, totals)) {
    model = progress.model;
    yield progress;
  }
  if (model === null || (totals.failed > 0 && !options.isPartial)) return;
  yield* switchAll(calls, model, totals);
}

async function* stageAll(
  calls: OperatorCalls,
  { model: given, wait = delay }: ReembedOptions,
  totals: Totals,
): AsyncGenerator<ReembedProgress> {
  let [model, done] = [given, 0];
  const stage = async (ids: string[]) => {
    const asked = { file_ids: ids, model };
    const answer = await patiently(() => calls.call(searchOperations.stageVectors, asked), wait);
    model = answer.model;
    return answer;
  };
  for await (const ids of calls.indexedPages(null)) {
    const files = await inCalls(ids, FILES_PER_CALL, stage);
    const failed = files.filter(({ outcome }) => outcome === 'failed');
    totals.failed += failed.length;
    done += ids.length;
    yield { phase: 'embed', model: model ?? '', done, total: Math.max(done, totals.total), failed };
  }
}

async function* switchAll(calls: OperatorCalls, model: string, { total }: Totals): AsyncGenerator<ReembedProgress> {
  let done = 0;
  const change = (ids: string[]) => calls.call(searchOperations.switchVectors, { file_ids: ids, model });
  for await (const ids of calls.indexedPages(null)) {
    await inCalls(ids, FILES_PER_SWITCH, change);
    done += ids.length;
    yield { phase: 'switch', model, done, total: Math.max(done, total), failed: [] };
  }
}

async function patiently<Result>(
  call: () => Promise<Result>,
  wait: (milliseconds: number) => Promise<unknown>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof CodedError) || !error.retryable || tries >= TRIES) throw error;
      await wait(RETRY_MS);
    }
  }
}
