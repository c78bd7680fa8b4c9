// Makes the variants of runs visible, before a run ends or as it ends. A run is refused once a newer one has begun, so a worker
// that lost its lease changes nothing. Idempotent.
import {
  conflict,
  outputKey,
  type CallContext,
  type MadeVariant,
  type TraceContext,
  type VariantType,
  type FilesInput,
  type FilesOutput,
} from '@kiln/contracts';
import { appendEvents, Database, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { noteChange } from '../changes/changed-file.store.js';
import { fileUpdated } from '../files/file.events.js';
import { putVariants } from '../variants/made-variants.store.js';
import { isOf, refusalError, refusalOf, runOf, type Refusal } from './refusal.errors.js';
import { RunStore, type FinishedFile, type Run, type RunState } from './run.store.js';

type FinishedRun = FilesOutput<'finishRuns'>['runs'][number];

/** A run and the variants it has made. */
interface MakingRun extends Run {
  sha256: string | null;
  made: MadeVariant[];
  trace: TraceContext | undefined;
}

@Injectable()
export class FinishRuns {
  constructor(
    private readonly database: Database,
    private readonly runs: RunStore,
  ) {}

  async commitVariants(
    input: FilesInput<'commitVariants'>,
    context: CallContext,
  ): Promise<FilesOutput<'commitVariants'>> {
    const { tenantId } = context;
    const run = { ...runOf(input), made: input.variants };
    assertOwn(tenantId, run);
    const isHeld = await this.database.transaction(async (transaction) => {
      const file = await this.runs.lock(transaction, tenantId, run);
      if (!file) return false;
      const made = run.made.map((variant) => ({ file, jobId: run.jobId, variant }));
      await putVariants(transaction, tenantId, made);
      await noteChange(transaction, tenantId, run.fileId);
      return true;
    });
    if (isHeld) return {};
    const [state] = await this.runs.findStates(this.database, tenantId, [run.fileId]);
    throw refusalError(refusalOf(state));
  }

  async finish(input: FilesInput<'finishRuns'>, context: CallContext): Promise<FilesOutput<'finishRuns'>> {
    const runs = input.runs.map((run) => ({
      ...runOf(run),
      sha256: run.sha256,
      made: run.variants,
      trace: run.traceparent === undefined ? undefined : { traceparent: run.traceparent },
    }));
    for (const run of runs) assertOwn(context.tenantId, run);
    const outcomes = await this.database.transaction((transaction) =>
      this.finishAll(transaction, context.tenantId, runs),
    );
    return { runs: outcomes };
  }

  private async finishAll(
    transaction: Transaction,
    tenantId: string,
    runs: readonly MakingRun[],
  ): Promise<FinishedRun[]> {
    const finished = await this.runs.finish(transaction, tenantId, runs);
    const fileOf = new Map(finished.map((file) => [file.id, file]));
    const done = runs.filter((run) => isOf(run, fileOf.get(run.fileId)));
    const made = done.flatMap(({ fileId, jobId, made: variants, trace }) =>
      variants.map((variant) => ({ file: fileOf.get(fileId) as FinishedFile, jobId, variant, trace })),
    );
    await putVariants(transaction, tenantId, made);
    await announceEdits(transaction, finished);
    const others = runs.filter((run) => !done.includes(run)).map(({ fileId }) => fileId);
    const states = others.length === 0 ? [] : await this.runs.findStates(transaction, tenantId, others);
    const stateOf = new Map(states.map((state) => [state.id, state]));
    return runs.map((run) =>
      done.includes(run)
        ? { variants: typesOf(fileOf.get(run.fileId), run.made), refusal: null }
        : repeatOrRefusal(run, stateOf.get(run.fileId)),
    );
  }
}

/** The run has indexed former values. The event has the search service index the current ones. */
async function announceEdits(transaction: Transaction, finished: readonly FinishedFile[]): Promise<void> {
  const edited = finished.filter(({ is_edited: isEdited }) => isEdited);
  if (edited.length > 0)
    await appendEvents(
      transaction,
      edited.map((file) => fileUpdated(file)),
    );
}

const typesOf = (before: Pick<RunState, 'variant_types'> | undefined, made: readonly MadeVariant[]) =>
  [...new Set([...(before?.variant_types ?? []), ...made.map(({ type }) => type)])].toSorted() as VariantType[];

/** A run that has already finished gets the same answer again. */
function repeatOrRefusal(run: Run, state: RunState | undefined): FinishedRun {
  const isRepeat = state?.status === 'completed' && isOf(run, state);
  if (isRepeat) return { variants: typesOf(state, []), refusal: null };
  const refusal: Refusal = refusalOf(state);
  return { variants: null, refusal };
}

/** A run can only refer to objects that it has stored itself: a key is a plain name under the run's own prefix. */
function assertOwn(tenantId: string, { fileId, jobId, fence, made }: Pick<MakingRun, keyof Run | 'made'>): void {
  for (const { content_key: key } of made) {
    if (key === null) continue;
    const name = key.slice(key.lastIndexOf('/') + 1);
    const isOwn = /^\w[\w.-]*$/.test(name) && key === outputKey(tenantId, fileId, jobId, fence, name);
    if (!isOwn) throw conflict('The content of a variant must be stored under the prefix of its run.');
  }
}
