import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The copy of a set of vectors in OpenSearch. Its writer holds a lease. */
@Entity('opensearch_vector_copies')
export class OpensearchVectorCopyEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('text')
  model!: string;

  /** The length of each vector. */
  @PrimaryColumn('integer')
  dimensions!: number;

  /** The index that has the copy. In an index of another name there is none yet. */
  @Column('text')
  index_name!: string;

  /** Marks the documents of this copy. A copy that begins again has another number, so that it does not find what was left of the former. */
  @Column('bigint', { default: () => "nextval('opensearch_vector_copy_numbers')" })
  number!: number;

  /** The copy has all changes up to this one. */
  @Column('bigint', { default: 0 })
  generation!: number;

  @Column('uuid', { nullable: true })
  writer!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => "'-infinity'" })
  lease_expires_at!: Date;
}
