// Where a run keeps what it makes, under its own fence; and how a variant becomes visible. What an earlier run of the same
// job has finished is found again, so that a retry resumes.
import { filesOperations, outputKey, uuidOf, type OperationInput } from '@kiln/contracts';
import type { RpcClient } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { RunContext } from './run-context.js';

type VariantType = OperationInput<(typeof filesOperations)['commitVariant']>['type'];

export interface StoredOutput {
  key: string;
  sizeBytes: number;
}

const COMMIT_TIMEOUT_MS = 5_000;

export class OutputStore {
  constructor(
    private readonly objects: ObjectStore,
    private readonly rpc: RpcClient,
  ) {}

  keyOf({ job, run }: RunContext, name: string): string {
    return outputKey(job.tenant_id, uuidOf('file', run.file_id), uuidOf('job', run.job_id), run.fence, name);
  }

  async write(
    context: RunContext,
    name: string,
    content: string | Buffer | Readable,
    contentType: string,
  ): Promise<StoredOutput> {
    const key = this.keyOf(context, name);
    const { sizeBytes } = await this.objects.put(key, content, { contentType, signal: context.signal });
    return { key, sizeBytes };
  }

  async writeFile(context: RunContext, name: string, path: string, contentType: string): Promise<StoredOutput> {
    const { size } = await stat(path);
    const key = this.keyOf(context, name);
    const options = { contentType, sizeBytes: size, signal: context.signal };
    await this.objects.put(key, createReadStream(path), options);
    return { key, sizeBytes: size };
  }

  /** Another run's output under this run, so that it can be committed and stays with it. */
  async copy(context: RunContext, from: string, name: string, contentType: string): Promise<StoredOutput> {
    const { signal } = context;
    const source = await this.objects.get(from, { signal });
    const key = this.keyOf(context, name);
    await this.objects.put(key, source.body, { contentType, sizeBytes: source.sizeBytes, signal });
    return { key, sizeBytes: source.sizeBytes };
  }

  /** The key of what the newest earlier run of this job has stored under `name`; null when none got so far. */
  async findEarlier({ job, run }: RunContext, name: string): Promise<string | null> {
    if (run.fence === 1) return null;
    const prefix = outputKey(job.tenant_id, job.file_id, job.id, 0, '').slice(0, -'0/'.length);
    const { objects } = await this.objects.list(prefix);
    const fenceOf = (key: string) => Number(key.slice(prefix.length).split('/')[0]);
    const keys = objects.map(({ key }) => key).filter((key) => key === `${prefix}${fenceOf(key)}/${name}`);
    return keys.sort((a, b) => fenceOf(b) - fenceOf(a))[0] ?? null;
  }

  /** Makes a stored output the file's variant of this type, at once and for good. */
  async commitVariant(
    context: RunContext,
    variant: { type: VariantType; contentType: string; stored: StoredOutput; provider: string },
  ): Promise<void> {
    await this.rpc.call(
      filesOperations.commitVariant,
      {
        ...context.run,
        type: variant.type,
        content_type: variant.contentType,
        size_bytes: variant.stored.sizeBytes,
        content_key: variant.stored.key,
        provider: variant.provider,
      },
      context.callContext(COMMIT_TIMEOUT_MS),
    );
  }
}

/** Whether the job is to make this variant: all of them unless the request named some. */
export function wants({ job }: RunContext, type: VariantType): boolean {
  return job.processing.variants?.includes(type) ?? true;
}

/** The key of a variant that an earlier run of this job has committed. */
export function committedKey({ file }: RunContext, type: VariantType): string | null {
  return file.variants.find((variant) => variant.type === type)?.content_key ?? null;
}
