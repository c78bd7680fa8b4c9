import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** When the next check of the files in status processing is due. One row: one process at a time runs the check. */
@Entity('processing_checks')
@Check('processing_checks_only_one_check', 'only_one')
export class ProcessingCheckEntity {
  @PrimaryColumn('boolean', { default: true })
  only_one!: boolean;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  next_pass_at!: Date;
}
