import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Postings of one term, at most 512, encoded by postings/domain/postings.ts. `data` is stored in the row and uncompressed, so that it is
 * neither fetched from elsewhere nor decompressed. Fill factor 80, since merges append to the last block of a term.
 */
@Entity('posting_blocks')
@Check('posting_blocks_count_check', 'count > 0')
export class PostingBlockEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('text', { collation: 'C' })
  term!: string;

  /** The number of the first passage. */
  @PrimaryColumn('bigint')
  first!: number;

  /** The number of the last passage. */
  @Column('bigint')
  last!: number;

  /** Postings in the block. */
  @Column('integer')
  count!: number;

  @Column('text')
  data!: string;
}
