import type { KeyedProvider } from '@kiln/contracts';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** An organization's own key for a provider, stored under its tenant of live mode. */
@Entity('provider_keys')
@Check(
  'provider_keys_provider_check',
  `provider in ('document_extractor', 'image_extractor', 'audio_extractor', 'embedding', 'chat')`,
)
@Check('provider_keys_preview_check', 'length(preview) <= 5')
export class ProviderKeyEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('text')
  provider!: KeyedProvider;

  /** The key, sealed for this row. */
  @Column('bytea')
  sealed!: Buffer;

  /** The last characters of the key, which may be shown. */
  @Column('text')
  preview!: string;

  /** The organization's own extractor, for which the key is the signing secret. Null: the key is for the usual provider. */
  @Column('text', { nullable: true })
  url!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at!: Date;
}
