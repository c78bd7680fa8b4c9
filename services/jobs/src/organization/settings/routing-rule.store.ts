// Routing rules of organizations, and the provider that they name for a content type. SQL matches the rules, so that the statement
// that creates a job also routes it.
import { liveTenantOf, type RoutingRule } from '@kiln/contracts';
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { OrganizationSettingsEntity } from './organization-settings.entity.js';

/** SQL: the provider that the rules under `liveTenant` name for `contentType`, both SQL expressions; null when no rule matches. */
export const ruledProvider = (liveTenant: string, contentType: string) => {
  const bare = `lower(btrim(split_part(${contentType}, ';', 1)))`;
  const pattern = `rule ->> 'content_type'`;
  const matches = `${pattern} in (${bare}, '*/*') or (${pattern} like '%*' and starts_with(${bare}, left(${pattern}, -1)))`;
  return `(
    select rule ->> 'provider' from organization_settings s cross join jsonb_array_elements(s.routing_rules) as rule
    where s.tenant_id = ${liveTenant} and (${matches})
    order by ${pattern} like '%*', length(${pattern}) desc limit 1)`;
};

const route = statement('routing_rules.route', `select ${ruledProvider('$1::uuid', '$2::text')} as provider`);

@Injectable()
export class RoutingRuleStore {
  constructor(
    private readonly database: Database,
    @InjectRepository(OrganizationSettingsEntity)
    private readonly organizations: Repository<OrganizationSettingsEntity>,
  ) {}

  /** In the order in which the caller listed them. */
  async find(liveTenantId: string): Promise<RoutingRule[]> {
    const found = await this.organizations.findOne({
      select: { routing_rules: true },
      where: { tenant_id: liveTenantId },
    });
    return found?.routing_rules ?? [];
  }

  /** Replaces all rules in one write: of two concurrent calls, the rules of one remain. */
  async replace(liveTenantId: string, rules: readonly RoutingRule[]): Promise<RoutingRule[]> {
    const row = { tenant_id: liveTenantId, routing_rules: [...rules], updated_at: () => 'now()' };
    const { raw } = await this.organizations
      .createQueryBuilder()
      .insert()
      .values(row)
      .orUpdate(['routing_rules', 'updated_at'], ['tenant_id'])
      .returning('routing_rules')
      .execute();
    const [stored] = raw as Pick<OrganizationSettingsEntity, 'routing_rules'>[];
    if (!stored) throw new Error('the upsert returned no row');
    return stored.routing_rules;
  }

  /** The provider that the rules of this tenant's organization name for a content type. Null when no rule matches. */
  async providerFor(tenantId: string, contentType: string): Promise<RoutingRule['provider'] | null> {
    const values = [liveTenantOf(tenantId), contentType];
    const [row] = await this.database.query<{ provider: RoutingRule['provider'] | null }>(route, values);
    return row?.provider ?? null;
  }
}
