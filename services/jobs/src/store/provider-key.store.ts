// Keys of organizations for providers, sealed: nothing here knows their text.
import type { KeyedProvider } from '@kiln/contracts';
import { statement, type Queryable } from '@kiln/platform';

export interface ProviderKeyRow {
  tenant_id: string;
  provider: KeyedProvider;
  sealed: Buffer;
  preview: string;
  created_at: Date;
  updated_at: Date;
}

const SHOWN = 'tenant_id, provider, preview, created_at, updated_at';

const list = statement(
  'provider_keys.list',
  `select ${SHOWN} from provider_keys where tenant_id = $1 order by created_at, provider`,
);
const put = statement(
  'provider_keys.put',
  `insert into provider_keys (tenant_id, provider, sealed, preview) values ($1, $2, $3, $4)
   on conflict (tenant_id, provider) do update
     set sealed = excluded.sealed, preview = excluded.preview, updated_at = now()
   returning ${SHOWN}`,
);
const remove = statement(
  'provider_keys.remove',
  'delete from provider_keys where tenant_id = $1 and provider = $2 returning 1',
);
const find = statement(
  'provider_keys.find',
  'select tenant_id, provider, sealed from provider_keys where tenant_id = $1 and provider = $2',
);
const page = statement(
  'provider_keys.page',
  `select tenant_id, provider, sealed from provider_keys
   where ($1::uuid is null or (tenant_id, provider) > ($1, $2)) order by tenant_id, provider limit $3`,
);
/** Only over what was read: a key that was replaced meanwhile is sealed with the newest already. */
const reseal = statement(
  'provider_keys.reseal',
  'update provider_keys set sealed = $4 where tenant_id = $1 and provider = $2 and sealed = $3 returning 1',
);

export type ShownKey = Omit<ProviderKeyRow, 'sealed'>;
export type SealedKey = Pick<ProviderKeyRow, 'tenant_id' | 'provider' | 'sealed'>;

export class ProviderKeyStore {
  constructor(private readonly database: Queryable) {}

  /** Oldest first. */
  list(liveTenantId: string): Promise<ShownKey[]> {
    return this.database.query<ShownKey>(list, [liveTenantId]);
  }

  async put({ tenant_id, provider, sealed }: SealedKey, preview: string): Promise<ShownKey> {
    const [row] = await this.database.query<ShownKey>(put, [tenant_id, provider, sealed, preview]);
    if (!row) throw new Error('the upsert answered no row');
    return row;
  }

  /** False when there was none. */
  async remove(liveTenantId: string, provider: KeyedProvider): Promise<boolean> {
    return (await this.database.query(remove, [liveTenantId, provider])).length > 0;
  }

  async find(liveTenantId: string, provider: KeyedProvider): Promise<SealedKey | null> {
    const [row] = await this.database.query<SealedKey>(find, [liveTenantId, provider]);
    return row ?? null;
  }

  /** Keys of all organizations, those after `last`. */
  page(last: SealedKey | null, limit: number): Promise<SealedKey[]> {
    return this.database.query<SealedKey>(page, [last?.tenant_id ?? null, last?.provider ?? null, limit]);
  }

  /** False when the key was replaced or removed since it was read. */
  async reseal({ tenant_id, provider, sealed }: SealedKey, anew: Buffer): Promise<boolean> {
    return (await this.database.query(reseal, [tenant_id, provider, sealed, anew])).length > 0;
  }
}
