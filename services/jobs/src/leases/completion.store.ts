// Completes runs, many in one statement.
import { Database, outboxRow, type NewEvent, type Queryable } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { RunReport } from '../runs/domain/run-report.js';
import { completeMany, completeOne } from './complete.statement.js';
import { leaseColumns, leaseKey, type Lease } from './lease.store.js';
import { reportValue } from './report.rows.js';

/** A run that did its work, and the event that its completion emits. */
export interface FinishedRun {
  lease: Lease;
  event: NewEvent;
  /** The last report of the run. */
  report?: RunReport | null;
}

@Injectable()
export class CompletionStore {
  constructor(@Inject(Database) private readonly database: Queryable) {}

  /**
   * All or nothing. Throws when an event does not match its contract. Returns the runs that it did not complete: they have lost their
   * lease, or their job is locked.
   */
  async complete<Run extends FinishedRun>(finished: readonly Run[]): Promise<Run[]> {
    const completed = await this.database.query<Lease>(completeMany, valuesOf(finished));
    const keys = new Set(completed.map(leaseKey));
    return finished.filter(({ lease }) => !keys.has(leaseKey(lease)));
  }

  /** Waits for a lock on the job. Does nothing when the lease is lost. */
  async completeOne(finished: FinishedRun): Promise<void> {
    await this.database.query(completeOne, valuesOf([finished]));
  }
}

function valuesOf(finished: readonly FinishedRun[]): unknown[] {
  const events = finished.map(({ event }) => outboxRow(event));
  return [
    ...leaseColumns(finished.map(({ lease }) => lease)),
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map(({ envelope }) => envelope),
    finished.map(({ report }) => reportValue(report)),
  ];
}
