// Announces changed files as `files.changed`, once a second. Changes of a file within that time appear as its newest state, and
// files of a tenant share an event. An event for each change would cost too large a part of the work on a small file.
import { CHANGED_FILES_MAX, encodeId, filesEvents } from '@kiln/contracts';
import { appendEvents, Database, newEvent, PollingLoop, type Logger, type NewEvent } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { ChangedFileStore, type ChangedFile } from './changed-file.store.js';

const INTERVAL_MS = 1_000;

@Injectable()
export class AnnounceChangesWorker extends PollingLoop {
  constructor(
    private readonly database: Database,
    private readonly changes: ChangedFileStore,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ name: 'announcing changed files', pollMs: INTERVAL_MS, logger, round: () => this.round() });
  }

  /** Returns whether there may be more to announce. */
  async round(): Promise<boolean> {
    if (!(await this.changes.exist())) return false;
    return this.database.transaction(async (transaction) => {
      const { files, more } = await this.changes.take(transaction);
      await appendEvents(transaction, filesChanged(files));
      return more;
    });
  }
}

/** `files` are ordered by tenant. */
function filesChanged(files: readonly ChangedFile[]): NewEvent[] {
  const events: NewEvent[] = [];
  for (let from = 0, to = 0; from < files.length; from = to) {
    const { tenant_id: tenantId = '' } = files[from] ?? {};
    while (files[to]?.tenant_id === tenantId && to - from < CHANGED_FILES_MAX) to++;
    const data = { files: files.slice(from, to).map(stateOf) };
    events.push(newEvent({ definition: filesEvents.filesChanged, tenantId, subject: 'files', data }));
  }
  return events;
}

const stateOf = ({ tenant_id: _tenant, id, created_at, ...state }: ChangedFile) => ({
  ...state,
  file_id: encodeId('file', id),
  created_at: created_at.toISOString(),
});
