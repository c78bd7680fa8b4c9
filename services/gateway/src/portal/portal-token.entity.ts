import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { ApiKeyEntity } from '../keys/api-key.entity.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/**
 * A token that lets its holder read one space. To revoke a token deletes it; a sweep deletes expired tokens. The token of a
 * revoked key is no longer valid, and stays until it expires or the key is deleted.
 */
@Entity('portal_tokens')
@Unique('portal_tokens_hash_key', ['hash'])
@Unique('portal_tokens_tenant_id_prefix_key', ['tenant_id', 'prefix'])
@Index('portal_tokens_of_tenant', ['tenant_id', 'id'])
@Check('portal_tokens_hash_check', 'octet_length(hash) = 32')
export class PortalTokenEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @ForeignKey(() => OrganizationEntity, { name: 'portal_tokens_organization_id_fkey' })
  @Column('uuid')
  organization_id!: string;

  /** The tenant of the key that created the token. */
  @Column('uuid')
  tenant_id!: string;

  /** The key that created the token, which ends with it. Null if a bearer token created it. */
  @Index('portal_tokens_of_key')
  @ForeignKey(() => ApiKeyEntity, { name: 'portal_tokens_key_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  key_id!: string | null;

  /** The only space that the token may read. */
  @Column('text')
  space!: string;

  /** SHA-256 of the value. The value has over 250 bits of entropy, so a slow hash would add cost and no safety. */
  @Column('bytea')
  hash!: Buffer;

  /** The first characters of the value, by which the tenant recognizes and revokes it. */
  @Column('text')
  prefix!: string;

  /** The sweep reads the index. */
  @Index('portal_tokens_by_expiry')
  @Column('timestamptz')
  expires_at!: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  created_at!: Date;
}
