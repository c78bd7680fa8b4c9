import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EngineState } from './engine-state.domain.js';

/** A remote engine, as all workers together know it. A row that no request has used for a day is removed. */
@Entity('engines')
export class EngineEntity {
  /** A digest of what the engine is for, its address, and whose key it is asked with. */
  @PrimaryColumn('text')
  engine!: string;

  @Column('jsonb')
  state!: EngineState;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  used_at!: Date;
}
