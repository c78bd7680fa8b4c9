// The events that this service has stated, whichever way they were written, as specs read and refuse them.
import type { Queryable } from '@kiln/platform';

/**
 * SQL: rows with the type and data of each event, and its `place` among the others of its job: a job that completes together
 * with others has nothing more to say after that.
 */
export const STATED_EVENTS = `(
  select envelope::jsonb ->> 'type' as type, envelope::jsonb -> 'data' as data, place from (
    select envelope, array[0, sequence] as place from outbox
    union all
    select line, array[1, sequence, number] from outbox_batches,
      string_to_table(envelopes, E'\\n') with ordinality as given (line, number)) written) stated`;

/** No event whose envelope contains `text` can be written, alone or with others, until what this answers is called. */
export async function refuseEvents(database: Queryable, text: string): Promise<() => Promise<void>> {
  const alter = (command: string) => database.query({ name: '', text: `alter table ${command}` });
  const written = { outbox: 'envelope', outbox_batches: 'envelopes' };
  for (const [table, column] of Object.entries(written))
    await alter(`${table} add constraint refuse check (position('${text}' in ${column}) = 0)`);
  return async () => {
    for (const table of Object.keys(written)) await alter(`${table} drop constraint refuse`);
  };
}
