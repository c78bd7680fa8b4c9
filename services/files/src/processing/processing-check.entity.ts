import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The time of the next check of files in status processing. There is one row, because one process at a time runs the check. */
@Entity('processing_checks')
@Check('processing_checks_only_one_check', 'only_one')
export class ProcessingCheckEntity {
  @PrimaryColumn('boolean', { default: true })
  only_one!: boolean;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  due_at!: Date;

  /** The last file of the previous check, which the next check continues behind. Null: it begins with the oldest file. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  position_updated_at!: Date | null;

  @Column({ type: 'uuid', nullable: true })
  position_tenant_id!: string | null;

  @Column({ type: 'uuid', nullable: true })
  position_file_id!: string | null;
}
