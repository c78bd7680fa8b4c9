import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** A code that is exchanged for an API key once. To exchange a code deletes it; a sweep deletes expired codes. */
@Entity('sign_in_codes')
@Check('sign_in_codes_hash_check', 'octet_length(hash) = 32')
export class SignInCodeEntity {
  /** SHA-256 of the value, which has over 250 bits of entropy. */
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @ForeignKey(() => OrganizationEntity, { name: 'sign_in_codes_organization_id_fkey' })
  @Column('uuid')
  organization_id!: string;

  /** The sweep reads the index. */
  @Index('sign_in_codes_by_expiry')
  @Column('timestamptz')
  expires_at!: Date;
}
