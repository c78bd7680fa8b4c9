import { Column, Entity } from 'typeorm';
import { PeriodEntity } from './period.entity.js';

/** The activity in a period. A file counts when it was added, an outcome when its job ended. */
@Entity('activity')
export class ActivityEntity extends PeriodEntity {
  /** Files added. */
  @Column('bigint', { default: 0 })
  uploads!: number;

  /** Bytes of the files added. */
  @Column('bigint', { default: 0 })
  uploaded_bytes!: number;

  /** Bytes of the files added, minus bytes of the files deleted. */
  @Column('bigint', { default: 0 })
  stored_bytes!: number;

  /** Completions of jobs. */
  @Column('bigint', { default: 0 })
  completed!: number;

  /** Failures of jobs. */
  @Column('bigint', { default: 0 })
  failed!: number;
}
