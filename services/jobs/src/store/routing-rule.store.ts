// Routing rules of organizations, and what they say about a content type. The matching is SQL, so that a job is routed by the
// statement that makes it.
import { liveTenantOf, type RoutingRule } from '@kiln/contracts';
import { statement, type Queryable } from '@kiln/platform';

/** SQL: the provider that the rules under `liveTenant` name for `contentType`, both SQL expressions; null when none fits. */
export const ruledProvider = (liveTenant: string, contentType: string) => {
  const bare = `lower(btrim(split_part(${contentType}, ';', 1)))`;
  const pattern = `rule ->> 'content_type'`;
  const fits = `${pattern} in (${bare}, '*/*') or (${pattern} like '%*' and starts_with(${bare}, left(${pattern}, -1)))`;
  return `(
    select rule ->> 'provider' from organization_settings s cross join jsonb_array_elements(s.routing_rules) as rule
    where s.tenant_id = ${liveTenant} and (${fits})
    order by ${pattern} like '%*', length(${pattern}) desc limit 1)`;
};

const find = statement('routing_rules.find', 'select routing_rules from organization_settings where tenant_id = $1');
const replace = statement(
  'routing_rules.replace',
  `insert into organization_settings (tenant_id, routing_rules) values ($1, $2::jsonb)
   on conflict (tenant_id) do update set routing_rules = excluded.routing_rules, updated_at = now()
   returning routing_rules`,
);
const route = statement('routing_rules.route', `select ${ruledProvider('$1::uuid', '$2::text')} as provider`);

interface RulesRow {
  routing_rules: RoutingRule[];
}

export class RoutingRuleStore {
  constructor(private readonly database: Queryable) {}

  /** In the order in which they were given. */
  async find(liveTenantId: string): Promise<RoutingRule[]> {
    const [row] = await this.database.query<RulesRow>(find, [liveTenantId]);
    return row?.routing_rules ?? [];
  }

  /** All rules at once: of two callers at a time, the rules of one stand. */
  async replace(liveTenantId: string, rules: readonly RoutingRule[]): Promise<RoutingRule[]> {
    const [row] = await this.database.query<RulesRow>(replace, [liveTenantId, JSON.stringify(rules)]);
    if (!row) throw new Error('the upsert answered no row');
    return row.routing_rules;
  }

  /** What the organization of this tenant, live or test, says about the type; null when it says nothing. */
  async providerFor(tenantId: string, contentType: string): Promise<RoutingRule['provider'] | null> {
    const [row] = await this.database.query<{ provider: RoutingRule['provider'] | null }>(route, [
      liveTenantOf(tenantId),
      contentType,
    ]);
    return row?.provider ?? null;
  }
}
