// Records facts in batches. One transaction at a time changes facts and rollups, because it reads what a fact has contributed before it
// changes. A transaction takes some milliseconds for hundreds of facts, so this limits no installation.
import { Database, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { ConnectionFactEntity } from './connection-fact.entity.js';
import { recordConnections } from './connection-fact.store.js';
import { recordFiles, type FileFact } from './file-fact.store.js';
import { recordOutcomes, type JobOutcome } from './job-outcome.store.js';

/**
 * The maximum number of facts in one transaction. More facts share the rows of rollups that they change. Memory stays at about 10 MB. One
 * event may have hundreds of facts.
 */
export const FACTS_MAX = 5_000;

@Injectable()
export class RecordFacts {
  constructor(private readonly database: Database) {}

  files(files: readonly FileFact[]): Promise<void> {
    return this.inTransactions(files, recordFiles);
  }

  outcomes(outcomes: readonly JobOutcome[]): Promise<void> {
    return this.inTransactions(outcomes, recordOutcomes);
  }

  connections(connections: readonly ConnectionFactEntity[]): Promise<void> {
    return this.inTransactions(connections, recordConnections);
  }

  private async inTransactions<Fact>(
    facts: readonly Fact[],
    record: (transaction: Transaction, facts: readonly Fact[]) => Promise<void>,
  ): Promise<void> {
    for (let from = 0; from < facts.length; from += FACTS_MAX) {
      await this.database.transaction(async (transaction) => {
        await transaction.lock('kiln_analytics_facts');
        await record(transaction, facts.slice(from, from + FACTS_MAX));
      });
    }
  }
}
