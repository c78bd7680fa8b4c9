import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A POST with an Idempotency-Key: either running under a lease, or answered, with its answer kept for repeats. */
@Entity('idempotent_requests')
@Index('idempotent_requests_by_encryption_key', { synchronize: false })
@Check('idempotent_requests_key_hash_check', 'octet_length(key_hash) = 32')
@Check('idempotent_requests_check', '(answer is null) = (kept_until is null)')
export class IdempotentRequestEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** Name of the row in the route table. */
  @PrimaryColumn('text')
  route!: string;

  /** SHA-256 of the Idempotency-Key, which is not stored. */
  @PrimaryColumn('bytea')
  key_hash!: Buffer;

  /** The UTC day of the claim. The table is partitioned by it. */
  @PrimaryColumn('date')
  day!: string;

  /** Fencing token of the run of the request: a write by an earlier run changes nothing. */
  @Column('uuid')
  owner!: string;

  /** The ids that the request chooses are derived from it. Later attempts keep the seed of the first one for an hour. */
  @Column('uuid')
  ids_seed!: string;

  /** After this time another request may take the key, because the process that held it has died. */
  @Column('timestamptz')
  lease_expires_at!: Date;

  /**
   * The digest of the request, and its answer. They are sealed, because the answer may hold a secret that is shown once, such as
   * a new API key.
   */
  @Column('bytea', { nullable: true })
  answer!: Buffer | null;

  @Column('timestamptz', { nullable: true })
  kept_until!: Date | null;
}
