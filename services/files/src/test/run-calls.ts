// The operations of runs, called for one run at a time. A refusal is thrown, as the worker does.
import {
  CodedError,
  type BegunRunFile,
  type CallContext,
  type MadeVariant,
  type OperationInput,
  type VariantType,
  type filesOperations,
} from '@kiln/contracts';
import type { BeginRuns } from '../runs/begin-runs.usecase.js';
import type { FinishRuns } from '../runs/finish-runs.usecase.js';

type RunInput = OperationInput<(typeof filesOperations)['openSource']>;
type StoredVariant = Omit<MadeVariant, 'content'> & { content_key: string };

const answered = <Value>(
  value: Value | null | undefined,
  refusal: { code: 'SUPERSEDED' | 'CONFLICT'; message: string } | null | undefined,
): Value => {
  if (value === null || value === undefined)
    throw new CodedError(refusal?.code ?? 'INTERNAL_ERROR', refusal?.message ?? '');
  return value;
};

export class RunCalls {
  constructor(
    readonly beginRuns: BeginRuns,
    readonly finishRuns: FinishRuns,
  ) {}

  async begin({ file_id, job_id, fence }: RunInput, context: CallContext): Promise<BegunRunFile> {
    const { runs } = await this.beginRuns.begin({ runs: [{ file_id, job_id, fence }] }, context);
    return answered(runs[0]?.file, runs[0]?.refusal);
  }

  /** Commits one variant whose content is an object. */
  async commit({ file_id, job_id, fence, ...variant }: RunInput & StoredVariant, context: CallContext): Promise<void> {
    const variants = [{ ...variant, content: null }];
    await this.finishRuns.commitVariants({ file_id, job_id, fence, variants }, context);
  }

  async finish(
    {
      file_id,
      job_id,
      fence,
      sha256 = null,
      variants = [],
    }: RunInput & { sha256?: string | null; variants?: MadeVariant[] },
    context: CallContext,
  ): Promise<VariantType[]> {
    const { runs } = await this.finishRuns.finish({ runs: [{ file_id, job_id, fence, sha256, variants }] }, context);
    return answered(runs[0]?.variants, runs[0]?.refusal);
  }
}
