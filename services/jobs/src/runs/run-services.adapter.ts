// Calls of runs to the files and search services. Concurrent runs of one tenant share a call.
import {
  CodedError,
  encodeId,
  filesOperations,
  internalContext,
  searchOperations,
  type BegunRunFile,
  type CallContext,
  type ErrorCode,
  type FileToIndex,
  type MadeVariant,
  type VariantType,
  type FilesInput,
  type FilesOutput,
} from '@kiln/contracts';
import { currentTrace, GroupedCalls, RpcClient } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { ClaimedJob } from '../jobs/job.rows.js';

type FinishedRun = FilesInput<'finishRuns'>['runs'][number];
type RunId = Pick<FinishedRun, 'file_id' | 'job_id' | 'fence'>;

export type OpenedSource = FilesOutput<'openSource'>;
/** The input for indexing a file, beside the id of the run. */
export type IndexedText = Omit<FileToIndex, keyof RunId>;

type RunJobIds = Pick<ClaimedJob, 'tenant_id' | 'file_id' | 'id' | 'fence'>;

const CALL_TIMEOUT_MS = 5_000;
/** The connections service calls the external bucket. */
const OPEN_TIMEOUT_MS = 12_000;
const INDEX_BASE_MS = 10_000;
/** Megabytes of chunks take minutes. */
const INDEX_BYTES_PER_MS = 20;
/** A message on the bus may have 1 MB. */
const GROUP_BYTES_MAX = 524_288;
/** In JSON a line end or a quotation mark takes two bytes; extracted text has no other control characters. */
const JSON_BYTES_PER_BYTE = 2;
const RUNS_MAX = 50;
const GROUPS_IN_FLIGHT_MAX = 2;

interface Answer<Value> {
  value: Value | null;
  refusal: { code: ErrorCode; message: string } | null;
}

@Injectable()
export class RunServices {
  private readonly begins: GroupedCalls<RunId, Answer<BegunRunFile>>;
  private readonly finishes: GroupedCalls<FinishedRun, Answer<VariantType[]>>;
  private readonly indexings: GroupedCalls<FileToIndex, Answer<number>>;

  constructor(private readonly rpc: RpcClient) {
    const limits = { inFlightMax: GROUPS_IN_FLIGHT_MAX, callsMax: RUNS_MAX };
    this.begins = new GroupedCalls((tenantId, runs) => this.beginAll(tenantId, runs), limits);
    this.finishes = new GroupedCalls((tenantId, runs) => this.finishAll(tenantId, runs), {
      ...limits,
      size: { sizeOf: bytesOfVariants, sizeMax: GROUP_BYTES_MAX },
    });
    this.indexings = new GroupedCalls((tenantId, files) => this.indexAll(tenantId, files, INDEX_BASE_MS), {
      ...limits,
      size: { sizeOf: bytesOfChunks, sizeMax: GROUP_BYTES_MAX },
    });
  }

  async begin(job: RunJobIds): Promise<BegunRunFile> {
    return valueOf(await this.begins.run(job.tenant_id, runOf(job)));
  }

  /** Where to read the bytes of a file in an external bucket. */
  openSource(job: RunJobIds): Promise<OpenedSource> {
    return this.rpc.call(filesOperations.openSource, runOf(job), contextOf(job.tenant_id, OPEN_TIMEOUT_MS));
  }

  async commitVariants(job: RunJobIds, variants: readonly MadeVariant[]): Promise<void> {
    await this.rpc.call(
      filesOperations.commitVariants,
      { ...runOf(job), variants: [...variants] },
      contextOf(job.tenant_id, CALL_TIMEOUT_MS),
    );
  }

  /** Indexes the chunks that are sent with the file. Returns their number. */
  async index(job: RunJobIds, text: IndexedText): Promise<number> {
    return valueOf(await this.indexings.run(job.tenant_id, { ...runOf(job), ...text }));
  }

  /** Indexes chunks that are in the object store. */
  async indexStored(job: RunJobIds, text: IndexedText, sizeBytes: number): Promise<number> {
    const timeoutMs = INDEX_BASE_MS + Math.ceil(sizeBytes / INDEX_BYTES_PER_MS);
    const [answer] = await this.indexAll(job.tenant_id, [{ ...runOf(job), ...text }], timeoutMs);
    return valueOf(answer);
  }

  /** Returns all variants that the file now has. */
  async finish(job: RunJobIds, end: { sha256: string | null; variants: MadeVariant[] }): Promise<VariantType[]> {
    const traceparent = currentTrace()?.traceparent;
    return valueOf(await this.finishes.run(job.tenant_id, { ...runOf(job), ...end, traceparent }));
  }

  private async beginAll(tenantId: string, runs: RunId[]): Promise<Answer<BegunRunFile>[]> {
    const answer = await this.rpc.call(filesOperations.beginRuns, { runs }, contextOf(tenantId, CALL_TIMEOUT_MS));
    return answer.runs.map(({ file, refusal }) => ({ value: file, refusal }));
  }

  private async finishAll(tenantId: string, runs: FinishedRun[]): Promise<Answer<VariantType[]>[]> {
    const answer = await this.rpc.call(filesOperations.finishRuns, { runs }, contextOf(tenantId, CALL_TIMEOUT_MS));
    return answer.runs.map(({ variants, refusal }) => ({ value: variants, refusal }));
  }

  private async indexAll(tenantId: string, files: FileToIndex[], timeoutMs: number): Promise<Answer<number>[]> {
    const answer = await this.rpc.call(searchOperations.indexFiles, { files }, contextOf(tenantId, timeoutMs));
    return answer.files.map(({ chunks, refusal }) => ({ value: chunks, refusal }));
  }
}

const contextOf = (tenantId: string, timeoutMs: number): CallContext =>
  internalContext('jobs-worker', { tenantId, requestId: uuidv7(), timeoutMs });

const runOf = ({ file_id: fileId, id, fence }: RunJobIds): RunId => ({
  file_id: encodeId('file', fileId),
  job_id: encodeId('job', id),
  fence,
});

function valueOf<Value>(answer: Answer<Value> | undefined): Value {
  if (answer?.refusal) throw new CodedError(answer.refusal.code, answer.refusal.message);
  if (answer === undefined || answer.value === null) throw new Error('an answer lacks a run');
  return answer.value;
}

const jsonBytesOf = (text: string | null) => (text === null ? 0 : Buffer.byteLength(text) * JSON_BYTES_PER_BYTE);

const bytesOfVariants = ({ variants }: FinishedRun): number =>
  variants.reduce((sum, { content }) => sum + jsonBytesOf(content), 0);

const bytesOfChunks = ({ chunks }: FileToIndex): number =>
  (chunks ?? []).reduce((sum, { text, vector = '' }) => sum + jsonBytesOf(text) + vector.length, 0);
