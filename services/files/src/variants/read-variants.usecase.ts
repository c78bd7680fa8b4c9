// Reads variants: small ones with their text, others with a signed URL to their object. Large contents do not travel over the
// bus.
import {
  encodeId,
  notFound,
  uuidOf,
  VARIANT_TEXTS_BYTES_MAX,
  type CallContext,
  type FilesInput,
  type FilesOutput,
} from '@kiln/contracts';
import type { ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { OBJECT_STORE, SIGNED_URL_SECONDS } from '../config.js';
import { FileStore } from '../files/file.store.js';
import { signedFor } from '../sources/signed-url.service.js';
import { contentsInAnswer } from './contents-in-answer.domain.js';
import { VariantContentStore, type VariantWithContent } from './variant-content.store.js';
import { variantSummary } from './variant.view.js';

type VariantRecord = FilesOutput<'getVariant'>;

@Injectable()
export class ReadVariants {
  constructor(
    private readonly files: FileStore,
    private readonly variants: VariantContentStore,
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(SIGNED_URL_SECONDS) private readonly signedUrlSeconds: number,
  ) {}

  async list(input: FilesInput<'listVariants'>, { tenantId }: CallContext): Promise<FilesOutput<'listVariants'>> {
    const fileId = uuidOf('file', input.file_id);
    const [file, rows] = await Promise.all([this.files.find(tenantId, fileId), this.variants.list(tenantId, fileId)]);
    if (!file) throw notFound('No file has this id.');
    const contents = contentsInAnswer(
      rows.map(({ content }) => content),
      VARIANT_TEXTS_BYTES_MAX,
    );
    const records = rows.map((row, at) => this.record(fileId, { ...row, content: contents[at] ?? null }));
    return { variants: await Promise.all(records) };
  }

  async get(input: FilesInput<'getVariant'>, { tenantId }: CallContext): Promise<VariantRecord> {
    const fileId = uuidOf('file', input.file_id);
    const row = await this.variants.find(tenantId, fileId, input.type);
    if (!row) throw notFound(`The file has no ${input.type} variant (yet), or no file has this id.`);
    return this.record(fileId, row);
  }

  async content(
    input: FilesInput<'getVariantContent'>,
    { tenantId }: CallContext,
  ): Promise<FilesOutput<'getVariantContent'>> {
    const [fileId, variantId] = [uuidOf('file', input.file_id), uuidOf('variant', input.variant_id)];
    const found = await this.variants.findContent(tenantId, fileId, variantId);
    if (!found) throw notFound('No variant with a content of its own has this id.');
    return found;
  }

  private async record(fileId: string, row: VariantWithContent): Promise<VariantRecord> {
    return {
      ...variantSummary(row),
      file_id: encodeId('file', fileId),
      provider: row.provider,
      content_key: row.content_key,
      content: row.content,
      content_url: row.content_key === null ? null : await this.signedUrl(row.content_key, row.content_type),
    };
  }

  private async signedUrl(key: string, contentType: string): Promise<string> {
    const { signed } = await signedFor(this.objects, this.signedUrlSeconds, (expiresSeconds) =>
      this.objects.signGet(key, { expiresSeconds, contentType, disposition: 'inline' }),
    );
    return signed;
  }
}
