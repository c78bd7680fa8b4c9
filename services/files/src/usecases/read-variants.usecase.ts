// Reading variants: records with a signed URL to their content. The content itself never travels over the bus.
import {
  encodeId,
  notFound,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type filesOperations,
} from '@kiln/contracts';
import type { Database } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { FileStore } from '../store/file.store.js';
import { VariantStore, type VariantRow } from '../store/variant.store.js';
import { variantSummary } from './read-files.usecase.js';

type Ops = typeof filesOperations;
type VariantRecord = OperationOutput<Ops['getVariant']>;

export class ReadVariants {
  constructor(
    private readonly database: Database,
    private readonly files: FileStore,
    private readonly variants: VariantStore,
    private readonly objects: ObjectStore,
    private readonly signedUrlSeconds: number,
  ) {}

  async list(
    input: OperationInput<Ops['listVariants']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['listVariants']>> {
    const fileId = uuidOf('file', input.file_id);
    const [file, rows] = await Promise.all([this.files.find(tenantId, fileId), this.variants.list(tenantId, fileId)]);
    if (!file) throw notFound('No file has this id.');
    return { variants: await Promise.all(rows.map((row) => this.record(fileId, row))) };
  }

  async get(input: OperationInput<Ops['getVariant']>, { tenantId }: CallContext): Promise<VariantRecord> {
    const fileId = uuidOf('file', input.file_id);
    const row = await this.variants.find(this.database, tenantId, fileId, input.type);
    if (!row) throw notFound(`The file has no ${input.type} variant (yet), or no file has this id.`);
    return this.record(fileId, row);
  }

  private async record(fileId: string, row: VariantRow): Promise<VariantRecord> {
    const contentUrl = await this.objects.signGet(row.content_key, {
      expiresSeconds: this.signedUrlSeconds,
      contentType: row.content_type,
      disposition: 'inline',
    });
    return {
      ...variantSummary(row),
      file_id: encodeId('file', fileId),
      provider: row.provider,
      content_key: row.content_key,
      content_url: contentUrl,
    };
  }
}
