import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Comparable vectors of one tenant: made by one model, in one length. */
@Entity('vector_sets')
export class VectorSetEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('text')
  model!: string;

  /** The length of each vector. */
  @PrimaryColumn('integer')
  dimensions!: number;

  /** Files with vectors of this set. */
  @Column('bigint')
  files!: number;

  @Column('bigint')
  vectors!: number;
}
