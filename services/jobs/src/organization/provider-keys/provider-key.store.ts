// Keys of organizations for providers, as stored: sealed.
import type { KeyedProvider } from '@kiln/contracts';
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { ProviderKeyEntity } from './provider-key.entity.js';

const page = statement(
  'provider_keys.page',
  `select tenant_id, provider, sealed from provider_keys
   where ($1::uuid is null or (tenant_id, provider) > ($1, $2)) order by tenant_id, provider limit $3`,
);

const SHOWN = {
  tenant_id: true,
  provider: true,
  preview: true,
  url: true,
  created_at: true,
  updated_at: true,
} as const;

export type ShownKey = Pick<ProviderKeyEntity, keyof typeof SHOWN>;
export type FoundKey = SealedKey & Pick<ProviderKeyEntity, 'url'>;
export type SealedKey = Pick<ProviderKeyEntity, 'tenant_id' | 'provider' | 'sealed'>;

@Injectable()
export class ProviderKeyStore {
  constructor(
    private readonly database: Database,
    @InjectRepository(ProviderKeyEntity) private readonly keys: Repository<ProviderKeyEntity>,
  ) {}

  /** Oldest first. */
  list(liveTenantId: string): Promise<ShownKey[]> {
    return this.keys.find({
      select: SHOWN,
      where: { tenant_id: liveTenantId },
      order: { created_at: 'ASC', provider: 'ASC' },
    });
  }

  async put(key: SealedKey, shown: Pick<ShownKey, 'preview' | 'url'>): Promise<ShownKey> {
    const { raw } = await this.keys
      .createQueryBuilder()
      .insert()
      .values({ ...key, ...shown, updated_at: () => 'now()' })
      .orUpdate(['sealed', 'preview', 'url', 'updated_at'], ['tenant_id', 'provider'])
      .returning(Object.keys(SHOWN))
      .execute();
    const [row] = raw as ShownKey[];
    if (!row) throw new Error('the upsert returned no row');
    return row;
  }

  /** False when there was none. */
  async remove(liveTenantId: string, provider: KeyedProvider): Promise<boolean> {
    const { affected } = await this.keys.delete({ tenant_id: liveTenantId, provider });
    return affected === 1;
  }

  find(liveTenantId: string, provider: KeyedProvider): Promise<FoundKey | null> {
    const where = { tenant_id: liveTenantId, provider };
    return this.keys.findOne({ select: { tenant_id: true, provider: true, sealed: true, url: true }, where });
  }

  /** Keys of all organizations, those after `last`. */
  page(last: SealedKey | null, limit: number): Promise<SealedKey[]> {
    return this.database.query<SealedKey>(page, [last?.tenant_id ?? null, last?.provider ?? null, limit]);
  }

  /** False when the key was replaced or removed since it was read: a new one is sealed with the newest key already. */
  async reseal({ tenant_id, provider, sealed: read }: SealedKey, sealed: Buffer): Promise<boolean> {
    const { affected } = await this.keys.update({ tenant_id, provider, sealed: read }, { sealed });
    return affected === 1;
  }
}
