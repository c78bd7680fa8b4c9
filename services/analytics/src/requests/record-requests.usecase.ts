// Records entries of the request log, all of a batch of events in one statement. Entries keep their ids, so a redelivered event adds
// nothing, and no inbox is needed.
import { uuidOf, type CloudEvent, type EventData, type gatewayEvents } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { isInLog } from './log-days.domain.js';
import { RequestLogStore, type NewEntry } from './request-log.store.js';

type Logged = EventData<typeof gatewayEvents.requestsLogged>;

@Injectable()
export class RecordRequests {
  constructor(private readonly log: RequestLogStore) {}

  async execute(events: readonly CloudEvent<Logged>[], now = new Date()): Promise<void> {
    const entries = events
      .flatMap(({ tenantid, data }) => data.requests.map((request) => entryOf(tenantid, request)))
      .filter(({ id }) => isInLog(id, now));
    if (entries.length > 0) await this.log.record(entries);
  }
}

const entryOf = (tenantId: string, { key_name, ...request }: Logged['requests'][number]): NewEntry => ({
  ...request,
  tenant_id: tenantId,
  id: uuidOf('log', request.id),
  // The subject of a bearer token may be any text; Postgres stores neither NUL nor half a surrogate pair.
  key_name: key_name.toWellFormed().replaceAll('\0', '\u{fffd}'),
});
