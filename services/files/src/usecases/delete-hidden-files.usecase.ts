// Deletes the files of deleted spaces in batches, each with its events, and waits while events pile up: a space of millions
// must not hold up anybody else's events.
import { appendEvents, Database } from '@kiln/platform';
import { DeletionStore } from '../store/deletion.store.js';
import { fileDeleted } from '../store/file.events.js';

const BATCH_SIZE = 1_000;
const LEASE_SECONDS = 60;
const EVENTS_WAITING_MAX = 5_000;

export class DeleteHiddenFiles {
  constructor(
    private readonly database: Database,
    private readonly deletions: DeletionStore,
    /** Called after each batch. */
    private readonly onDeleted: () => void,
    private readonly isStopping: () => boolean = () => false,
  ) {}

  /** Works on one space until it is empty, or events pile up; true when there may be more to do at once. */
  async round(): Promise<boolean> {
    if (await this.isCrowded()) return false;
    const claim = await this.deletions.claimSpace(LEASE_SECONDS);
    if (claim === null) return false;
    while (!this.isStopping()) {
      const deleted = await this.database.transaction(async (transaction) => {
        const limits = { limit: BATCH_SIZE, leaseSeconds: LEASE_SECONDS };
        const rows = await this.deletions.deleteHidden(transaction, claim, limits);
        if (rows === null) return 0;
        await appendEvents(
          transaction,
          rows.map((row) => fileDeleted(row)),
        );
        return rows.length;
      });
      if (deleted === 0) return true;
      this.onDeleted();
      if (await this.isCrowded()) break;
    }
    await this.deletions.release(claim);
    return false;
  }

  private async isCrowded(): Promise<boolean> {
    return (await this.deletions.eventsWaiting(EVENTS_WAITING_MAX)) >= EVENTS_WAITING_MAX;
  }
}
