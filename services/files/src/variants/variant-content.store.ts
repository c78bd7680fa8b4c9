// Reads variants with the contents that are stored in their rows.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { VISIBLE_FILES } from '../files/file.rows.js';
import { VariantEntity } from './variant.entity.js';
import type { VariantRow } from './variant.rows.js';

/** Either `content` or `content_key` is null. */
export type VariantWithContent = VariantRow & Pick<VariantEntity, 'content'>;

const COLUMNS = 'id, type, content_type, size_bytes, content_key, content, provider, created_at';
/** The join with the space hides the variants of deleted spaces. */
const FILE_EXISTS = `exists (select 1 from ${VISIBLE_FILES} where f.tenant_id = $1 and f.id = $2)`;

const find = statement(
  'variants.find_with_content',
  `select ${COLUMNS} from variants where tenant_id = $1 and file_id = $2 and type = $3 and ${FILE_EXISTS}`,
);
const findContent = statement(
  'variants.find_content',
  `select content_type, content from variants
   where tenant_id = $1 and file_id = $2 and id = $3 and content is not null and ${FILE_EXISTS}`,
);

@Injectable()
export class VariantContentStore {
  constructor(
    private readonly database: Database,
    @InjectRepository(VariantEntity) private readonly variants: Repository<VariantEntity>,
  ) {}

  /** Returns also the variants of files whose space is deleted: check the file as well. */
  list(tenantId: string, fileId: string): Promise<VariantWithContent[]> {
    const where = { tenant_id: tenantId, file_id: fileId };
    return this.variants.find({ where, order: { type: 'ASC' } });
  }

  async find(tenantId: string, fileId: string, type: VariantRow['type']): Promise<VariantWithContent | null> {
    const [row] = await this.database.query<VariantWithContent>(find, [tenantId, fileId, type]);
    return row ?? null;
  }

  /** Null when the variant does not exist, or an object holds its content. */
  async findContent(
    tenantId: string,
    fileId: string,
    variantId: string,
  ): Promise<{ content_type: string; content: string } | null> {
    const values = [tenantId, fileId, variantId];
    const [row] = await this.database.query<{ content_type: string; content: string }>(findContent, values);
    return row ?? null;
  }
}
