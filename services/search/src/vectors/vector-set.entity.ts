import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The vectors of one tenant that are comparable: made by one model, of one length. */
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
