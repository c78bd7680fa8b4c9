// The events that this service has stated, alone or in batches, as specs read and refuse them.
import { envelopesOf, type Queryable, type StoredBatch } from '@kiln/platform';

export interface StatedEvent {
  type: string;
  data: { job_id?: string };
}

/** In order for each job: one that completes together with others has nothing more to say after that. */
export async function statedEvents(database: Queryable): Promise<StatedEvent[]> {
  const read = <Row extends object>(text: string) => database.query<Row>({ name: '', text });
  const singles = await read<{ envelope: string }>('select envelope from outbox order by sequence');
  const batches = await read<StoredBatch>('select envelopes, packed, left_out from outbox_batches order by sequence');
  const envelopes = [...singles.map(({ envelope }) => envelope), ...batches.flatMap(envelopesOf)];
  return envelopes.map((envelope) => JSON.parse(envelope) as StatedEvent);
}

/** No event whose envelope contains `text` can be written, alone or with a few others, until what this answers is called. */
export async function refuseEvents(database: Queryable, text: string): Promise<() => Promise<void>> {
  const alter = (command: string) => database.query({ name: '', text: `alter table ${command}` });
  const written = { outbox: 'envelope', outbox_batches: 'envelopes' };
  for (const [table, column] of Object.entries(written))
    await alter(`${table} add constraint refuse check (position('${text}' in ${column}) = 0)`);
  return async () => {
    for (const table of Object.keys(written)) await alter(`${table} drop constraint refuse`);
  };
}
