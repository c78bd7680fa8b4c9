import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** A token that lets its holder read one space. A revoked token is deleted; an expired one is deleted by the sweep. */
@Entity('portal_tokens')
@Unique('portal_tokens_hash_key', ['hash'])
@Check('portal_tokens_hash_check', 'octet_length(hash) = 32')
export class PortalTokenEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @ForeignKey(() => OrganizationEntity, { name: 'portal_tokens_organization_id_fkey' })
  @Column('uuid')
  organization_id!: string;

  /** The data plane of the key that created the token. */
  @Column('uuid')
  tenant_id!: string;

  /** The only space that the token may read. */
  @Column('text')
  space!: string;

  /** SHA-256 of the value. The value has over 250 bits of entropy, so a slow hash would add cost and no safety. */
  @Column('bytea')
  hash!: Buffer;

  /** The sweep reads the index. */
  @Index('portal_tokens_by_expiry')
  @Column('timestamptz')
  expires_at!: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  created_at!: Date;
}
