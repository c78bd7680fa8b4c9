import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EngineState } from './engine-state.domain.js';

/** The state of a remote engine, shared by all workers. A row that no request has used for a day is removed. */
@Entity('engines')
export class EngineEntity {
  /** A digest of the engine's provider, its address, and the owner of the key. */
  @PrimaryColumn('text')
  engine!: string;

  @Column('jsonb')
  state!: EngineState;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  used_at!: Date;
}
