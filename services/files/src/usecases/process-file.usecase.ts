// What a run may do to its file: begin, commit one variant at a time, finish. Each is refused once a newer run has begun, so
// a worker that lost its lease changes nothing; each may be repeated.
import {
  conflict,
  encodeId,
  filesEvents,
  outputKey,
  sourceKey,
  superseded,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type filesOperations,
} from '@kiln/contracts';
import { appendEvents, Database, newEvent, type Transaction } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { v7 as uuidv7 } from 'uuid';
import { fileFact } from '../store/file.rows.js';
import { FileStore, type Run } from '../store/file.store.js';
import type { FileTermsStore } from '../store/file-terms.store.js';
import { VariantStore } from '../store/variant.store.js';
import type { OpenSource } from './open-source.js';
import { readWords } from './read-words.js';

type Ops = typeof filesOperations;
type RunInput = OperationInput<Ops['beginProcessing']>;
type FinishInput = OperationInput<Ops['finishProcessing']>;
type CommitInput = OperationInput<Ops['commitVariant']>;

function runOf(input: RunInput, { tenantId }: CallContext): Run {
  return { tenantId, fileId: uuidOf('file', input.file_id), jobId: uuidOf('job', input.job_id), fence: input.fence };
}

/** A plain name under the run's own prefix: no run hands out what another tenant, file or run has stored. */
function isOwnOutput({ tenantId, fileId, jobId, fence }: Run, contentKey: string): boolean {
  const name = contentKey.slice(contentKey.lastIndexOf('/') + 1);
  return /^\w[\w.-]*$/.test(name) && contentKey === outputKey(tenantId, fileId, jobId, fence, name);
}

export class ProcessFile {
  constructor(
    private readonly database: Database,
    private readonly files: FileStore,
    private readonly variants: VariantStore,
    private readonly terms: FileTermsStore,
    private readonly objects: ObjectStore,
    private readonly openSource: OpenSource,
  ) {}

  async begin(input: RunInput, context: CallContext): Promise<OperationOutput<Ops['beginProcessing']>> {
    const run = runOf(input, context);
    const file = await this.files.beginRun(run);
    if (!file) throw await this.refusal(run);
    const [variants, source] = await Promise.all([
      this.variants.list(run.tenantId, run.fileId),
      this.openSource.execute(file, context),
    ]);
    const ownPrefix = `${run.tenantId}/${run.fileId}/${run.jobId}/`;
    return {
      space: file.space,
      filename: file.filename,
      content_type: source?.content_type ?? file.content_type,
      size_bytes: file.size_bytes,
      metadata: file.metadata,
      source_key: sourceKey(run.tenantId, run.fileId),
      source: source && {
        url: source.url,
        bucket: source.bucket,
        etag_header: source.etag_header,
        fault: source.fault,
      },
      source_etag: file.source_etag,
      sha256: file.sha256,
      job_number: file.job_number,
      // Only what this very job has made: an earlier job may have run with other options.
      variants: variants.filter((variant) => variant.content_key.startsWith(ownPrefix)),
    };
  }

  async commitVariant(input: CommitInput, context: CallContext): Promise<OperationOutput<Ops['commitVariant']>> {
    const run = runOf(input, context);
    if (!isOwnOutput(run, input.content_key)) throw conflict('The content of a variant lies under its own run.');
    const words = await this.wordsOf(input, context);
    const variantId = await this.database.transaction((transaction) => this.commit(transaction, run, input, words));
    if (variantId === null) throw await this.refusal(run);
    return { id: encodeId('variant', variantId) };
  }

  async finish(input: FinishInput, context: CallContext): Promise<OperationOutput<Ops['finishProcessing']>> {
    const run = runOf(input, context);
    const file = await this.files.finishRun(run, input.sha256 ?? null);
    if (!file) throw await this.refusal(run);
    const variants = await this.variants.list(run.tenantId, run.fileId);
    return { variants: variants.map((variant) => variant.type) };
  }

  /** Those of a markdown, read before the transaction begins; null for other types. */
  private async wordsOf(input: CommitInput, { deadlineAt }: CallContext): Promise<string[] | null> {
    if (input.type !== 'markdown') return null;
    const signal = AbortSignal.timeout(Math.max(1, deadlineAt - Date.now()));
    const words = await readWords(this.objects, input.content_key, { sizeBytes: input.size_bytes, signal });
    if (words === null) throw conflict('The content of the variant is not in storage.');
    return words;
  }

  private async commit(
    transaction: Transaction,
    run: Run,
    input: CommitInput,
    words: string[] | null,
  ): Promise<string | null> {
    const file = await this.files.lockRun(transaction, run);
    if (!file) return null;
    if (words) await this.terms.putWords(transaction, file, words);
    const id = uuidv7();
    const changed = await this.variants.replace(transaction, {
      tenantId: run.tenantId,
      fileId: run.fileId,
      id,
      type: input.type,
      contentType: input.content_type,
      sizeBytes: input.size_bytes,
      contentKey: input.content_key,
      provider: input.provider,
    });
    if (!changed) {
      const existing = await this.variants.find(transaction, run.tenantId, run.fileId, input.type);
      return existing?.id ?? null;
    }
    const data = { ...fileFact(file), type: input.type, provider: input.provider };
    const about = { tenantId: run.tenantId, subject: encodeId('file', run.fileId) };
    await appendEvents(transaction, [newEvent({ definition: filesEvents.variantReady, ...about, data })]);
    return id;
  }

  private async refusal(run: Run) {
    const file = await this.files.find(run.tenantId, run.fileId);
    if (!file) return superseded('The file was deleted.');
    if (file.status === 'uploading') return conflict('The bytes of the file are not in storage yet.');
    return superseded('A newer run of this file has begun, or this one has ended.');
  }
}
