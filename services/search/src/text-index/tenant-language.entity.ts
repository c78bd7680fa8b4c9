import type { TextLanguage } from '@kiln/contracts';
import { Entity, PrimaryColumn } from 'typeorm';

/**
 * A language in which files of the tenant were analyzed. Searches analyze the query in each. A row is never deleted: a writer that found it
 * relies on it.
 */
@Entity('tenant_languages')
export class TenantLanguageEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('text')
  language!: TextLanguage;
}
