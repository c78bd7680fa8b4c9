// The events that this service has appended, as specs read and refuse them.
import type { Queryable } from '@kiln/platform';

export interface StatedEvent {
  type: string;
  data: { job_id?: string };
}

/** In the order in which they were appended. */
export async function statedEvents(database: Queryable): Promise<StatedEvent[]> {
  const text = 'select envelope from outbox order by sequence';
  const rows = await database.query<{ envelope: string }>({ name: '', text });
  return rows.map(({ envelope }) => JSON.parse(envelope) as StatedEvent);
}

/** No event whose envelope contains `text` can be appended until the returned function is called. */
export async function refuseEvents(database: Queryable, text: string): Promise<() => Promise<void>> {
  const alter = (command: string) => database.query({ name: '', text: `alter table outbox ${command}` });
  await alter(`add constraint refuse check (position('${text}' in envelope) = 0)`);
  return async () => void (await alter('drop constraint refuse'));
}
