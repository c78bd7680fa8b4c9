import type { TextLanguage } from '@kiln/contracts';
import { Entity, PrimaryColumn } from 'typeorm';

/**
 * A language in which files of the tenant were analyzed. Searches analyze the query in each of them. Rows are never deleted, because
 * writers that found a row rely on it.
 */
@Entity('tenant_languages')
export class TenantLanguageEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('text')
  language!: TextLanguage;
}
