// The outputs of one run. Small text is collected and becomes visible when the run finishes. Everything else is stored at once under the
// run's fencing token, where a later run of the same job finds it and resumes.
import {
  defaultVariantTypes,
  outputKey,
  VARIANT_CONTENT_BYTES_MAX,
  type MadeVariant,
  type VariantType,
} from '@kiln/contracts';
import type { ObjectStore } from '@kiln/storage';
import type { Readable } from 'node:stream';
import type { RunServices } from './run-services.adapter.js';
import type { ClaimedJob } from '../jobs/job.rows.js';
import { allDone } from './domain/all-done.js';

export interface StoredOutput {
  key: string;
  sizeBytes: number;
}

type NamedVariant = Pick<MadeVariant, 'type' | 'content_type' | 'provider'>;

export interface RunOutputsParts {
  objects: ObjectStore;
  services: Pick<RunServices, 'commitVariants'>;
  job: ClaimedJob;
  signal: AbortSignal;
  /** The variants that earlier runs of the job have committed. */
  committed: readonly { type: VariantType; content_key: string | null }[];
}

/** Whether a variant of this content is stored in its row, not as an object. */
export const isInline = (content: string): boolean =>
  Buffer.byteLength(content) <= VARIANT_CONTENT_BYTES_MAX && !content.includes('\0');

export class RunOutputs {
  private gathered: readonly MadeVariant[] = [];
  /** Writes in progress. */
  private readonly storing: Promise<unknown>[] = [];

  constructor(private readonly parts: RunOutputsParts) {}

  /** Whether the job still has to make this variant. */
  wants(type: VariantType): boolean {
    return this.requested.includes(type) && !this.parts.committed.some((variant) => variant.type === type);
  }

  /** Whether the job makes a variant for which the text is read. */
  get needsText(): boolean {
    return this.requested.some((type) => type !== 'thumbnails');
  }

  private get requested(): readonly VariantType[] {
    return this.parts.job.processing.variants ?? defaultVariantTypes;
  }

  /** The key of a variant that an earlier run has committed as an object. */
  committedKey(type: VariantType): string | null {
    return this.parts.committed.find((variant) => variant.type === type)?.content_key ?? null;
  }

  /** Adds a variant: in its row if it is small, else as an object of this name. */
  async add(variant: NamedVariant, name: string, content: string): Promise<void> {
    if (!isInline(content)) return this.addStored(variant, await this.write(name, content, variant.content_type));
    const sizeBytes = Buffer.byteLength(content);
    this.gathered = [...this.gathered, { ...variant, size_bytes: sizeBytes, content, content_key: null }];
  }

  addStored(variant: NamedVariant, { key, sizeBytes }: StoredOutput): void {
    this.gathered = [...this.gathered, { ...variant, size_bytes: sizeBytes, content: null, content_key: key }];
  }

  /** Writes while the run continues. Commits wait for the write, and fail with it. */
  storeMeanwhile(storing: Promise<unknown>): void {
    this.storing.push(storing);
    // A commit reports the failure.
    storing.catch(() => {});
  }

  /** Resolves once no write is in progress. */
  async waitForStoring(): Promise<void> {
    await Promise.allSettled(this.storing);
  }

  /** Variants that become visible when the run finishes. */
  get uncommitted(): readonly MadeVariant[] {
    return this.gathered;
  }

  /** Makes the collected variants visible before the run finishes. More may be added meanwhile. */
  async commit(): Promise<void> {
    await allDone(this.storing);
    const committed = this.gathered;
    if (committed.length === 0) return;
    await this.parts.services.commitVariants(this.parts.job, committed);
    this.gathered = this.gathered.filter((variant) => !committed.includes(variant));
  }

  /** Resolves once all variants are in storage. Throws what a write has failed with. */
  async stored(): Promise<void> {
    await allDone(this.storing);
  }

  async write(name: string, content: string | Buffer | Readable, contentType: string): Promise<StoredOutput> {
    const { objects, signal } = this.parts;
    const key = this.keyOf(name);
    const { sizeBytes } = await objects.put(key, content, { contentType, signal });
    return { key, sizeBytes };
  }

  /** Copies an output of an earlier run to this run, which can commit it. */
  async copy(from: string, name: string, contentType: string): Promise<StoredOutput> {
    const { objects, signal } = this.parts;
    const source = await objects.get(from, { signal });
    const key = this.keyOf(name);
    await objects.put(key, source.body, { contentType, sizeBytes: source.sizeBytes, signal });
    return { key, sizeBytes: source.sizeBytes };
  }

  /**
   * The key under which the newest earlier run of this job has stored `name`, provided that it also stored `companion`. Null when no run got
   * so far.
   */
  async findEarlier(name: string, companion = name): Promise<string | null> {
    const { objects, job } = this.parts;
    if (job.fence === 1) return null;
    const prefix = outputKey(job.tenant_id, job.file_id, job.id, 0, '').slice(0, -'0/'.length);
    const page = await objects.list(prefix);
    const fenceOf = (key: string) => Number(key.slice(prefix.length).split('/')[0]);
    const found = new Set(page.objects.map(({ key }) => key));
    const fences = [...found].map(fenceOf).sort((a, b) => b - a);
    const fence = fences.find((one) => [name, companion].every((part) => found.has(`${prefix}${one}/${part}`)));
    return fence === undefined ? null : `${prefix}${fence}/${name}`;
  }

  private keyOf(name: string): string {
    const { tenant_id: tenantId, file_id: fileId, id, fence } = this.parts.job;
    return outputKey(tenantId, fileId, id, fence, name);
  }
}
