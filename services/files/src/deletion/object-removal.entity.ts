import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Objects to remove: everything under `<tenant>/<file>/` that `reason` names. */
@Entity('object_removals')
@Check('object_removals_reason_check', `reason in ('deleted', 'orphaned', 'superseded', 'too_large')`)
@Index('object_removals_due', ['due_at'])
@Index('object_removals_waiting', ['requested_at'])
export class ObjectRemovalEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;

  /**
   * `deleted`: the file was deleted. `orphaned`: no file has this id, or it was deleted long ago. `superseded`: the removal
   * concerns only objects that no variant of the file names any more. `too_large`: it concerns the uploaded bytes, if they exceed
   * the limit.
   */
  @Column('text')
  reason!: 'deleted' | 'orphaned' | 'superseded' | 'too_large';

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  requested_at!: Date;

  /** A claim moves it into the future: until then the row is leased. */
  @Column('timestamptz', { default: () => 'now()' })
  due_at!: Date;

  /** Number of claims, which is also the fencing token. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** Until then a run or a signed URL may still write, so the worker repeats the removal at that time. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  writable_until!: Date | null;
}
