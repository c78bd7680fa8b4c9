// The settings of organizations. The statement that creates a job copies the processing defaults into it, so they stay the same for all runs
// of the job: a retry after a change does not chunk one file in two ways.
import type { OrganizationSettings } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { StoredSettings } from './settings.domain.js';
import { OrganizationSettingsEntity } from './organization-settings.entity.js';

/**
 * SQL: the processing defaults that are set under `liveTenant`, an SQL expression, as fields of a job's `processing`. Fields that were
 * never set are missing.
 */
export const processingDefaults = (liveTenant: string) => `coalesce((
  select jsonb_strip_nulls(jsonb_build_object('embedding_model', s.default_embedding_model,
    'default_chunking', s.default_chunking, 'variants', to_jsonb(s.default_variants)))
  from organization_settings s where s.tenant_id = ${liveTenant}), '{}')`;

const SELECTED = {
  default_embedding_model: true,
  default_chunking: true,
  default_variants: true,
  search_language: true,
  answer_instructions: true,
} as const;
const FIELDS = Object.keys(SELECTED) as (keyof typeof SELECTED)[];

type Changes = { [Field in keyof OrganizationSettings]?: OrganizationSettings[Field] | undefined };

@Injectable()
export class SettingsStore {
  constructor(
    @InjectRepository(OrganizationSettingsEntity)
    private readonly organizations: Repository<OrganizationSettingsEntity>,
  ) {}

  /** Null when the organization has set nothing yet. */
  find(liveTenantId: string): Promise<StoredSettings | null> {
    return this.organizations.findOne({ select: SELECTED, where: { tenant_id: liveTenantId } });
  }

  /** Writes only the fields that are given, so concurrent changes of different fields are both kept. */
  async change(liveTenantId: string, changes: Changes): Promise<StoredSettings | null> {
    const given = FIELDS.filter((field) => changes[field] !== undefined);
    const { raw } = await this.organizations
      .createQueryBuilder()
      .insert()
      .values({ ...changes, tenant_id: liveTenantId, updated_at: () => 'now()' })
      .orUpdate([...given, 'updated_at'], ['tenant_id'])
      .returning(FIELDS)
      .execute();
    return (raw as StoredSettings[])[0] ?? null;
  }
}
