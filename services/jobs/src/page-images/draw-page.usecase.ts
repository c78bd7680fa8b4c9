// Draws a page of a file and stores the image. Tenants share a few places, so that the documents of all callers together take a bounded
// part of the disk.
import {
  CodedError,
  conflict,
  unavailable,
  type CallContext,
  type WorkerInput,
  type WorkerOutput,
} from '@kiln/contracts';
import { ExtractionError, isSystemFault, type Sandbox } from '@kiln/extraction';
import { FairSlots } from '@kiln/resilience';
import { hasDrawnPages, PAGE_IMAGE_TYPE } from '@kiln/readers/page-images/page-image';
import { StorageError, type ObjectStore } from '@kiln/storage';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BucketFailureError } from '../runs/bucket/bucket-failure.errors.js';
import type { SourceFile } from '../runs/steps/source-file.service.js';

/** One page is drawn while the next document is downloaded. */
const DOCUMENTS_AT_A_TIME = 2;
const WAITING_MAX = 200;

export interface DrawPageParts {
  objects: Pick<ObjectStore, 'put'>;
  source: Pick<SourceFile, 'download'>;
  sandbox: Pick<Sandbox, 'drawPage'>;
  scratchDirectory: string;
}

type Input = WorkerInput<'drawPage'>;

export class DrawPage {
  private readonly slots = new FairSlots(DOCUMENTS_AT_A_TIME);

  constructor(private readonly parts: DrawPageParts) {}

  async execute(input: Input, { tenantId, deadlineAt }: CallContext): Promise<WorkerOutput<'drawPage'>> {
    if (!hasDrawnPages(input.content_type)) throw notDrawn(input.content_type);
    if (this.slots.waiting >= WAITING_MAX) throw unavailable('A place for drawing a page');
    const signal = AbortSignal.timeout(Math.max(0, deadlineAt - Date.now()));
    await this.slots.take(tenantId, signal).catch((error: unknown) => {
      throw unavailable('A place for drawing a page', error);
    });
    try {
      return { page_count: await this.draw(input, tenantId, signal) };
    } catch (error) {
      throw signal.aborted ? unavailable('Drawing pages', error) : codedError(error);
    } finally {
      this.slots.free(tenantId);
    }
  }

  private async draw(input: Input, owner: string, signal: AbortSignal): Promise<number> {
    const { objects, source, sandbox, scratchDirectory } = this.parts;
    const directory = await mkdtemp(join(scratchDirectory, 'page-'));
    try {
      const path = join(directory, 'source');
      await source.download(fileToRead(input, signal), path);
      const document = { path, filename: input.filename, contentType: input.content_type, outputDirectory: directory };
      const { pageCount, png } = await sandbox.drawPage({ ...document, owner }, input, signal);
      if (png) await objects.put(input.image_key, png, { contentType: PAGE_IMAGE_TYPE, signal });
      return pageCount;
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
}

function fileToRead({ source: { key, etag, size_bytes, bucket } }: Input, signal: AbortSignal) {
  return {
    file: { source_key: key, source_etag: etag, size_bytes, sha256: null },
    source: bucket && { url: bucket.url, bucket: bucket.name, etag_header: bucket.etag_header, fault: null },
    signal,
  };
}

const notDrawn = (contentType: string) =>
  conflict(`Pages of ${contentType} are not drawn. PDF files and images have page images.`);

/** A fault of the file is a conflict with its reason. */
function codedError(error: unknown): unknown {
  if (isSystemFault(error)) return unavailable('Drawing pages', error);
  if (error instanceof ExtractionError)
    return error.retryable ? unavailable('Drawing pages', error) : conflict(error.message);
  if (error instanceof BucketFailureError) return new CodedError('BUCKET_UNAVAILABLE', error.message, { cause: error });
  if (error instanceof StorageError)
    return error.code === 'not_found'
      ? conflict('The bytes of the file are not in storage. Upload them first.')
      : unavailable('The object store', error);
  return error;
}
