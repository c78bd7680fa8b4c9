// The definition of a rollup. The statements that record facts and the one that rebuilds a rollup are derived from the same definition, so they cannot
// differ.
import { groupFiles, groupOutcomes, groupRuns } from './grouped-changes.domain.js';

/** Changes of facts, as a common table expression. Changes of runs are outcomes, grouped by their duration. */
export type Source = 'file_changes' | 'outcome_changes' | 'run_changes' | 'connection_changes';

export interface Rollup {
  readonly table: string;
  readonly sources: readonly Source[];
  /** SQL: adds what the rows of the source contribute. */
  apply(source: Source): string;
  /**
   * SQL: corrects the rollup of tenant $1 to what its facts contribute. It adds the difference, and returns a row for each row that was
   * wrong. The snapshot of the statement has facts and rollups of the same moment. Changes that commit meanwhile are added to the corrected
   * rows.
   */
  readonly correction: string;
}

const OUTCOMES = '(select 1 as counted, is_latest::int as present, * from job_outcomes where tenant_id = $1) changed';

/** SQL: the facts of tenant $1, as if all of them had just been added. */
export const FACTS: Readonly<Record<Source, string>> = {
  file_changes: groupFiles('(select 1 as sign, * from file_facts where tenant_id = $1) changed'),
  outcome_changes: groupOutcomes(OUTCOMES),
  run_changes: groupRuns(OUTCOMES),
  connection_changes: 'select 1 as sign, * from connection_facts where tenant_id = $1',
};
