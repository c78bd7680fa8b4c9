// New files: their rows, the terms they are found by, the uploads that are still to come, and the events that tell of them, in
// one statement, however many they are. It is a transaction of its own where its caller has none.
import { outboxRow, statement, type NewEvent, type Queryable } from '@kiln/platform';
import { foldName } from '../domain/search-terms.js';
import type { NewFile } from './file.rows.js';

/** A file to be, and what is told of it if it comes to be. */
export interface Registration {
  file: NewFile;
  events: NewEvent[];
}

/** After which the bytes of a direct upload are looked for, unless the store has announced them. */
export const FIRST_CHECK_SECONDS = 2;

/**
 * $1 tenant, $2 files, $3 seconds for the bytes to come, $4 to $7 events: whose, id, type, envelope.
 * In the order of ids, so that two statements with the same files never wait for each other.
 */
const insertMany = statement(
  'files.insert_many',
  `with given as (
     select * from jsonb_to_recordset($2::jsonb) as g (
       id uuid, job_id uuid, batch_id uuid, space text, filename text, content_type text, size_bytes bigint, sha256 text,
       source_etag text, status text, metadata jsonb, processing jsonb, name text)
   ), added as (
     insert into files
       (tenant_id, id, job_id, job_number, batch_id, space, filename, content_type, size_bytes, sha256, source_etag, status, metadata,
        processing)
     select $1, id, job_id, case when job_id is null then 0 else 1 end, batch_id, space, filename, content_type, size_bytes,
       sha256, source_etag, status, metadata, processing
     from given order by id
     on conflict (tenant_id, id) do nothing
     returning id, status
   ), terms as (
     insert into file_terms (tenant_id, file_id, name)
     select $1, id, given.name from added join given using (id)
   ), waiting as (
     insert into pending_uploads (tenant_id, file_id, expires_at, next_check_at)
     select $1, id, now() + make_interval(secs => $3), now() + interval '${FIRST_CHECK_SECONDS} seconds'
     from added where status = 'uploading'
   ), told as (
     insert into outbox (id, type, envelope)
     select e.id, e.type, e.envelope
     from unnest($4::uuid[], $5::uuid[], $6::text[], $7::text[]) with ordinality as e (file_id, id, type, envelope, place)
       join added on added.id = e.file_id
     order by e.place
   )
   select id from added`,
  { appendsEvents: true },
);

/**
 * Those whose ids were free, by their ids; of several with one id it makes the first. `urlSeconds`: how long bytes may take that
 * are still to come. Throws when an event's data does not fit its contract.
 */
export async function insertFiles(
  on: Queryable,
  tenantId: string,
  registrations: readonly Registration[],
  urlSeconds: number,
): Promise<Map<string, NewFile>> {
  const byId = new Map<string, Registration>();
  for (const registration of registrations) {
    if (!byId.has(registration.file.id)) byId.set(registration.file.id, registration);
  }
  const files = [...byId.values()].map(({ file }) => ({ ...file, name: foldName(file.filename) }));
  const events = [...byId].flatMap(([fileId, told]) => told.events.map((event) => ({ fileId, ...outboxRow(event) })));
  const added = await on.query<{ id: string }>(insertMany, [
    tenantId,
    JSON.stringify(files),
    urlSeconds,
    events.map(({ fileId }) => fileId),
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map(({ envelope }) => envelope),
  ]);
  const isAdded = new Set(added.map(({ id }) => id));
  return new Map([...byId].filter(([id]) => isAdded.has(id)).map(([id, { file }]) => [id, file]));
}
