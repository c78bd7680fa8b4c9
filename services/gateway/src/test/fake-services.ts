// FAKES of the services for the gateway's integration tests. They keep files, jobs and variants in memory. What needs no memory is
// answered with the example of the route row that forwards to the operation, so a new row is covered without a change here.
import {
  filesOperations,
  formatTimestamp,
  jobsOperations,
  connectionsOperations,
  NO_SOURCES,
  notFound,
  outputKey,
  previewOf,
  searchOperations,
  storageKey,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { answerBatches, answerFromExamples, answerPageReservations } from './fake-answers.js';
import { FakeBus, type Answer } from './fake-bus.js';
import type { TestSurroundings } from './gateway-process.js';

type File = OperationOutput<typeof filesOperations.getFile>;
type Variant = OperationOutput<typeof filesOperations.getVariant>;
type NewVariant = Omit<Variant, 'content_key' | 'content' | 'content_url' | 'created_at' | 'provider'>;
type NewFile = OperationInput<typeof filesOperations.createUpload>;

export async function startFakes({ infrastructure, namespace }: TestSurroundings): Promise<FakeServices> {
  const fakes = new FakeServices(infrastructure.natsUrl, namespace);
  await fakes.start();
  return fakes;
}

export class FakeServices extends FakeBus {
  readonly files = new Map<string, File>();
  readonly jobs = new Map<string, OperationOutput<typeof jobsOperations.getJob>>();
  readonly variants: Variant[] = [];
  /** The keys name tenant, file and variant. */
  readonly contents = new Map<string, OperationOutput<typeof filesOperations.getVariantContent>>();

  protected answerAll(answer: Answer): void {
    this.answerFiles(answer);
    this.answerVariants(answer);
    this.answerJobs(answer);
    answer(searchOperations.search, ({ query, mode }) => ({ results: [], total: 0, query, mode }));
    answer(searchOperations.answer, () => NO_SOURCES);
    answer(connectionsOperations.commitNodeUpload, () => missing());
    answerBatches(answer);
    answerPageReservations(answer);
    answerFromExamples(answer);
  }

  private answerFiles(answer: Answer): void {
    answer(filesOperations.createFile, (input) => this.create(input, input.size_bytes, input.sha256));
    answer(filesOperations.createUpload, (input) => this.createUpload(input));
    answer(filesOperations.createUploads, ({ files }) => ({ files: files.map((file) => this.createUpload(file)) }));
    answer(filesOperations.processFiles, (input) => this.processFiles(input));
    answer(filesOperations.processConnection, () => missing());
    answer(filesOperations.processNode, () => missing());
    answer(
      filesOperations.downloadFile,
      ({ id, space }) => this.fileIn(id, space) && { url: 'http://127.0.0.1:1/get-here', expires_in: 3600 },
    );
    answer(filesOperations.getPageImage, () => missing());
    answer(filesOperations.getFile, ({ id, space }) => this.fileIn(id, space));
    answer(filesOperations.listFiles, () => ({
      files: [...this.files.values()].map(({ variants: _variants, sha256: _sha256, ...summary }) => summary),
      next_cursor: null,
    }));
    answer(filesOperations.deleteFile, ({ id }) => (this.files.delete(id) ? { deleted: true as const } : missing()));
    answer(filesOperations.deleteFiles, ({ file_ids }) => ({
      deleted: file_ids.filter((id) => this.files.delete(id)).length,
      errors: [],
    }));
  }

  private answerVariants(answer: Answer): void {
    answer(filesOperations.listVariants, ({ file_id }) => ({
      variants: this.files.has(file_id) ? this.variants.filter((variant) => variant.file_id === file_id) : missing(),
    }));
    answer(
      filesOperations.getVariant,
      ({ file_id, type }) =>
        this.variants.find((variant) => variant.file_id === file_id && variant.type === type) ?? missing(),
    );
    answer(filesOperations.getVariantContent, (input, context) => this.contentOf(input, context));
  }

  private answerJobs(answer: Answer): void {
    answer(jobsOperations.createJobs, ({ jobs }) => ({ created: jobs.map((job) => this.createJob(job)).length }));
    answer(jobsOperations.listJobs, () => ({ jobs: [...this.jobs.values()], next_cursor: null }));
    answer(jobsOperations.cancelJob, ({ id }) =>
      this.jobs.has(id) ? { id, status: 'cancelled' as const } : missing(),
    );
    answer(jobsOperations.retryJob, () => missing());
    answer(jobsOperations.getExtraction, () => missing());
    answer(jobsOperations.acceptExtraction, () => missing());
    answer(jobsOperations.getJob, ({ id }) => this.jobs.get(id) ?? missing());
    answer(jobsOperations.getUsage, () => ({ period: '2026-11', pages_used: 0 }));
    answer(jobsOperations.setRoutingRules, (rules) => rules);
    answer(jobsOperations.setProviderKey, ({ provider, key, url = null }) => {
      const now = formatTimestamp(new Date());
      return { provider, key_preview: previewOf(key), url, created_at: now, updated_at: now };
    });
    answer(jobsOperations.deleteProviderKey, () => missing());
  }

  private fileIn(id: string, space: string | undefined): File {
    const file = this.files.get(id);
    return file && (space === undefined || file.space === space) ? file : missing();
  }

  private create(input: NewFile, size_bytes: number | null, sha256: string | null = null) {
    const { file_id, job_id, space = 'default', filename, metadata = {}, external_id = null } = input;
    const now = formatTimestamp(new Date());
    const summary = { id: file_id, space, filename, content_type: input.content_type ?? null, size_bytes, external_id };
    const status = 'uploaded' as const;
    const times = { created_at: now, updated_at: now };
    this.files.set(file_id, { ...summary, status, job_id, metadata, ...times, sha256, variants: [] });
    return { ...summary, status, job_id, storage_key: storageKey(space, file_id, filename) };
  }

  private createUpload(input: NewFile) {
    return {
      ...this.create(input, input.size_bytes ?? null),
      status: 'uploading' as const,
      upload_url: 'http://127.0.0.1:1/put-here',
      upload_method: 'PUT' as const,
      upload_headers: {},
      expires_in: 3600,
    };
  }

  private processFiles({ files, processing, batch_id }: OperationInput<typeof filesOperations.processFiles>) {
    const outcome: OperationOutput<typeof filesOperations.processFiles> = { jobs: [], errors: [] };
    for (const { file_id, job_id } of files) {
      const file = this.files.get(file_id);
      if (file) {
        const { space, filename, content_type, size_bytes } = file;
        const about = { file_id, job_id, space, filename, content_type, size_bytes, batch_id };
        outcome.jobs.push({ ...about, ready: true, processing });
      } else outcome.errors.push({ file_id, code: 'NOT_FOUND', message: 'No file has this id.' });
    }
    return outcome;
  }

  private createJob({ job_id, file_id, space }: OperationInput<typeof jobsOperations.createJobs>['jobs'][number]) {
    const job = {
      id: job_id,
      file_id,
      space,
      status: 'queued' as const,
      provider: null,
      step: null,
      progress: 0,
      attempts: 0,
      error: null,
      batch_id: null,
      created_at: formatTimestamp(new Date()),
      started_at: null,
      completed_at: null,
      ended_at: null,
      timeline: [],
    };
    this.jobs.set(job_id, job);
    return job;
  }

  /** Adds a variant whose content is an object, and returns the key of the object. */
  addVariant(tenantId: string, variant: NewVariant): string {
    const fileUuid = uuidOf('file', variant.file_id);
    const content_key = outputKey(tenantId, fileUuid, fileUuid, 1, variant.type);
    this.variants.push({ ...made(variant), content_key, content: null, content_url: 'http://127.0.0.1:1/get' });
    return content_key;
  }

  /** Adds a variant whose row holds the content. Only its tenant can read it. */
  addSmallVariant(tenantId: string, variant: NewVariant, content: string): void {
    this.variants.push({ ...made(variant), content_key: null, content, content_url: null });
    this.contents.set(`${tenantId} ${variant.file_id} ${variant.id}`, { content_type: variant.content_type, content });
  }

  private contentOf(
    { file_id, variant_id }: OperationInput<typeof filesOperations.getVariantContent>,
    { tenantId }: CallContext,
  ) {
    const content = this.contents.get(`${tenantId} ${file_id} ${variant_id}`);
    return this.files.has(file_id) && content ? content : missing();
  }
}

const made = (variant: NewVariant) => ({
  ...variant,
  provider: 'document_extractor' as const,
  created_at: formatTimestamp(new Date()),
});

function missing(): never {
  throw notFound();
}
