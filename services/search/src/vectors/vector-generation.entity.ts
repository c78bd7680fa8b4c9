import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The number of the last change to a tenant's vectors. A transaction raises it last, and locks the row until it commits. So changes become
 * visible in the order of their numbers, and a process that knows the last number it has read finds every later change.
 */
@Entity('vector_generations')
export class VectorGenerationEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @Column('bigint')
  generation!: number;

  /** Records of removals up to this number may be deleted. A process that has read less must read everything again. */
  @Column('bigint', { default: 0 })
  forgotten_generation!: number;
}
