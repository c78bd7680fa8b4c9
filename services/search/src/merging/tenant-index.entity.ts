import { Column, Entity, PrimaryColumn } from 'typeorm';
import { PassageTotals } from '../text-index/passage-totals.entity.js';

/**
 * Totals of the merged passages of a tenant, including those that are removed and not purged yet. Only merges and purges write this row,
 * and they hold the tenant's advisory lock.
 */
@Entity('tenant_indexes')
export class TenantIndexEntity extends PassageTotals {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** The number that the next merged passage gets. */
  @Column('bigint', { default: 0 })
  next_number!: number;

  /** How many of `chunks` are in `removed_windows`. The next three columns count the same for the other totals. */
  @Column('bigint', { default: 0 })
  removed_chunks!: number;

  @Column('bigint', { default: 0 })
  removed_chunk_length!: number;

  @Column('bigint', { default: 0 })
  removed_titles!: number;

  @Column('bigint', { default: 0 })
  removed_title_length!: number;

  /** A file of which a merge took the first parts from the tail and left the other parts. */
  @Column('uuid', { nullable: true })
  partial_file_id!: string | null;

  /** The term of the last block that the running purge has processed. Null when no purge is running. */
  @Column({ type: 'text', nullable: true, collation: 'C' })
  purge_term!: string | null;

  /** A number in that block: the purge continues with the first block after it. */
  @Column('bigint', { nullable: true })
  purge_first!: number | null;
}
