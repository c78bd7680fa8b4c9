// Deletes the files of deleted spaces in batches, each with its events. It pauses while the event backlog is full, so that a
// space of millions of files does not delay the events of other tenants.
import { appendEvents, Database } from '@kiln/platform';
import type { EventBacklog } from '../event-backlog.store.js';
import { fileDeleted } from '../files/file.events.js';
import { DeletionStore } from './deletion.store.js';

const BATCH_SIZE = 1_000;
const LEASE_SECONDS = 60;

export class DeleteFilesOfSpaces {
  constructor(
    private readonly database: Database,
    private readonly deletions: DeletionStore,
    private readonly backlog: EventBacklog,
    /** Called after each batch. */
    private readonly onDeleted: () => void,
    private readonly isStopping: () => boolean = () => false,
  ) {}

  /** Works on one space until it is empty or the event backlog is full. True when there may be more to do at once. */
  async round(): Promise<boolean> {
    if (await this.backlog.isFull()) return false;
    const claim = await this.deletions.claimSpace(LEASE_SECONDS);
    if (claim === null) return false;
    while (!this.isStopping()) {
      const deleted = await this.database.transaction(async (transaction) => {
        const limits = { limit: BATCH_SIZE, leaseSeconds: LEASE_SECONDS };
        const rows = await this.deletions.deleteFilesOfSpace(transaction, claim, limits);
        if (rows === null) return 0;
        await appendEvents(
          transaction,
          rows.map((row) => fileDeleted(row)),
        );
        return rows.length;
      });
      if (deleted === 0) return true;
      this.onDeleted();
      if (await this.backlog.isFull()) break;
    }
    await this.deletions.release(claim);
    return false;
  }
}
