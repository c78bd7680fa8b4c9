import { Entity, PrimaryColumn } from 'typeorm';

/**
 * An orphan that the running pass has found. Candidates are removed only after the pass has finished, and only if they are a small share
 * of all ids it has seen.
 */
@Entity('orphan_candidates')
export class OrphanCandidateEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;
}
