// Finds the image of a page, or has a worker draw it. Deleting the file removes its images with all else below its prefix.
import {
  conflict,
  jobsWorkerOperations,
  notFound,
  pageImageKey,
  unavailable,
  uuidOf,
  type CallContext,
  type FilesInput,
  type FilesOutput,
  type WorkerInput,
} from '@kiln/contracts';
import { RpcClient } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { OBJECT_STORE } from '../config.js';
import { sourceKeyOf, type FileRow } from '../files/file.rows.js';
import { FileStore } from '../files/file.store.js';
import { OpenSource } from '../sources/open-source.usecase.js';
import { SourceBytes } from '../sources/source-bytes.service.js';

interface Opened {
  bucket: WorkerInput<'drawPage'>['source']['bucket'];
  contentType: string | null;
}

@Injectable()
export class GetPageImage {
  constructor(
    private readonly files: FileStore,
    @Inject(OBJECT_STORE) private readonly objects: Pick<ObjectStore, 'head'>,
    private readonly sources: SourceBytes,
    private readonly source: OpenSource,
    @Inject(RpcClient) private readonly rpc: Pick<RpcClient, 'call'>,
  ) {}

  async execute(
    { file_id, space, page, width }: FilesInput<'getPageImage'>,
    context: CallContext,
  ): Promise<FilesOutput<'getPageImage'>> {
    const file = await this.files.find(context.tenantId, uuidOf('file', file_id));
    if (!file || (space !== undefined && file.space !== space)) throw notFound('No file has this id.');
    const key = pageImageKey(file.tenant_id, file.id, { version: versionOf(file), width, page });
    if (await this.isStored(key)) return { key };
    const opened = await this.openIn(file, context);
    const { page_count } = await this.rpc.call(
      jobsWorkerOperations.drawPage,
      {
        filename: file.filename,
        content_type: opened?.contentType ?? file.content_type ?? 'application/octet-stream',
        source: {
          key: sourceKeyOf(file),
          etag: file.source_etag,
          size_bytes: file.size_bytes,
          bucket: opened?.bucket ?? null,
        },
        page,
        width,
        image_key: key,
      },
      context,
    );
    if (page_count < page) throw notFound(`The file has ${page_count} ${page_count === 1 ? 'page' : 'pages'}.`);
    return { key };
  }

  private async isStored(key: string): Promise<boolean> {
    try {
      return (await this.objects.head(key)) !== null;
    } catch (error) {
      throw unavailable('The object store', error);
    }
  }

  /** Opens the bytes in an external bucket, whose type nothing may have read before. Null for a file in Kiln's own storage. */
  private async openIn(file: FileRow, context: CallContext): Promise<Opened | null> {
    const place = file.source_etag === null ? null : await this.sources.placeOf(file.tenant_id, file.id);
    if (place === null) return null;
    const { url, bucket, etag_header, fault, content_type } = await this.source.execute(file, place, context);
    if (url === null) throw conflict(fault ?? 'The bytes of the file cannot be read.');
    return { bucket: { url, name: bucket, etag_header }, contentType: content_type };
  }
}

/** An ETag may have any characters. */
function versionOf({ source_etag: etag, source_id: sourceId }: FileRow): string {
  const parts = [sourceId, etag].filter((part) => part !== null);
  return parts.length === 0 ? 'only' : createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 16);
}
