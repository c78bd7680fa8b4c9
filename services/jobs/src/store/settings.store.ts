// What organizations have set. A new job copies it, in the statement that makes it: what was set when the work was asked for
// holds for all of its runs, and a retry after a change does not mix two ways of cutting one file.
import type { OrganizationSettings } from '@kiln/contracts';
import { statement, type Queryable } from '@kiln/platform';
import type { StoredSettings } from '../domain/settings.js';

/** SQL: the fields of `processing` that are set under `liveTenant`, an SQL expression; those never set are missing. */
export const processingDefaults = (liveTenant: string) => `coalesce((
  select jsonb_strip_nulls(jsonb_build_object('embedding_model', s.default_embedding_model,
    'chunking', s.default_chunking, 'variants', to_jsonb(s.default_variants)))
  from organization_settings s where s.tenant_id = ${liveTenant}), '{}')`;

const COLUMNS = 'default_embedding_model, default_chunking, default_variants';

const find = statement('settings.find', `select ${COLUMNS} from organization_settings where tenant_id = $1`);
const change = statement(
  'settings.change',
  `insert into organization_settings as s (tenant_id, ${COLUMNS}) values ($1, $2, $3, $4)
   on conflict (tenant_id) do update set
     default_embedding_model = coalesce(excluded.default_embedding_model, s.default_embedding_model),
     default_chunking = coalesce(excluded.default_chunking, s.default_chunking),
     default_variants = coalesce(excluded.default_variants, s.default_variants), updated_at = now()
   returning ${COLUMNS}`,
);

type Changes = { [Field in keyof OrganizationSettings]?: OrganizationSettings[Field] | undefined };

export class SettingsStore {
  constructor(private readonly database: Queryable) {}

  /** Null when the organization has set nothing yet. */
  async find(liveTenantId: string): Promise<StoredSettings | null> {
    const [row] = await this.database.query<StoredSettings & Record<string, unknown>>(find, [liveTenantId]);
    return row ?? null;
  }

  /** What is left out stays; two changes at a time are both kept. */
  async change(liveTenantId: string, changes: Changes): Promise<StoredSettings | null> {
    const { default_embedding_model: model, default_chunking: chunking, default_variants: variants } = changes;
    const values = [liveTenantId, model ?? null, chunking ?? null, variants ?? null];
    const [row] = await this.database.query<StoredSettings & Record<string, unknown>>(change, values);
    return row ?? null;
  }
}
