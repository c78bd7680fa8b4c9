import type { KeyMode, Scope } from '@kiln/contracts';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** An API key. Revoked and expired keys stay in the table for a while, so that the request log can name them. */
@Entity('api_keys')
@Index('api_keys_of_organization', ['organization_id', 'id'])
@Index('api_keys_by_end', { synchronize: false })
@Unique('api_keys_hash_key', ['hash'])
@Check('api_keys_hash_check', 'octet_length(hash) = 32')
@Check('api_keys_mode_check', `mode in ('live', 'test')`)
export class ApiKeyEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @ForeignKey(() => OrganizationEntity, { name: 'api_keys_organization_id_fkey' })
  @Column('uuid')
  organization_id!: string;

  @Column('text')
  name!: string;

  /** SHA-256 of the value. The value has over 250 bits of entropy, so a slow hash would add cost and no safety. */
  @Column('bytea')
  hash!: Buffer;

  /** The first characters of the value, by which its owner recognizes it. */
  @Column('text')
  prefix!: string;

  @Column({ type: 'text', array: true })
  scopes!: Scope[];

  /** Which of the two tenants of the organization the key sees. */
  @Column('text')
  mode!: KeyMode;

  /** Null if the key never expires. */
  @Column('timestamptz', { nullable: true })
  expires_at!: Date | null;

  @Column('timestamptz', { nullable: true })
  revoked_at!: Date | null;

  /** The gateway writes it every few seconds, so it lags behind. */
  @Column('timestamptz', { nullable: true })
  last_used_at!: Date | null;

  /** The key was KILN_API_KEY. The row stays for ever, so that a start does not make a revoked key again. */
  @Column('boolean', { default: false })
  of_operator!: boolean;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  created_at!: Date;
}
