// Inserts new files in one statement, however many they are: their spaces, rows, folded names, pending uploads and events.
// Outside a transaction, the statement is a transaction of its own.
import { outboxRow, statement, type NewEvent, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { foldName } from '../files/name-terms.domain.js';
import type { NewFile } from '../files/file.rows.js';

/** A new file and the events that announce it. */
export interface Registration {
  file: NewFile;
  events: NewEvent[];
}

/** The first check for the bytes of a direct upload, unless a notification comes earlier. */
export const FIRST_CHECK_SECONDS = 2;

/**
 * Set-based. $1 tenant, $2 files, $3 seconds until the signed URL expires, $4 to $7 events: file, id, type, envelope. A file that
 * exists already neither locks nor creates a space. The same holds for a file whose external id another file has. The bytes of an upload that
 * has replaced the content of a file do not become another file. The
 * statement inserts rows in the order of their external ids and ids, so that two statements with the same ones cannot deadlock.
 */
const insertMany = statement(
  'files.insert_many',
  `with given as (
     select * from jsonb_to_recordset($2::jsonb) as g (
       id uuid, job_id uuid, batch_id uuid, space text, filename text, content_type text, size_bytes bigint, sha256 text,
       source_etag text, status text, metadata jsonb, external_id text, processing jsonb, name text)
   ), held as materialized (
     select id as space_id, name as space from hold_spaces($1, array(
       select distinct space from given g
       where (select f.id from files f where f.tenant_id = $1 and f.id = g.id) is null
         and (select f.id from files f where f.tenant_id = $1 and f.external_id = g.external_id) is null))
   ), added as (
     insert into files
       (tenant_id, id, job_id, job_number, batch_id, space_id, filename, content_type, size_bytes, sha256, source_etag, status, metadata,
        external_id, processing)
     select $1, id, job_id, case when job_id is null then 0 else 1 end, batch_id, space_id, filename, content_type, size_bytes,
       sha256, source_etag, status, metadata, external_id, processing
     from given join held using (space)
     where (select f.id from files f where f.tenant_id = $1 and f.source_id = given.id) is null
     order by external_id, id
     on conflict do nothing
     returning id, status
   ), named as (
     insert into file_names (tenant_id, file_id, name)
     select $1, id, given.name from added join given using (id)
   ), waiting as (
     insert into pending_uploads (tenant_id, file_id, expires_at, due_at)
     select $1, id, now() + make_interval(secs => $3), now() + interval '${FIRST_CHECK_SECONDS} seconds'
     from added where status = 'uploading'
   ), announced as (
     insert into outbox (id, type, envelope)
     select e.id, e.type, e.envelope
     from unnest($4::uuid[], $5::uuid[], $6::text[], $7::text[]) with ordinality as e (file_id, id, type, envelope, place)
       join added on added.id = e.file_id
     order by e.place
   )
   select id from added`,
  { appendsEvents: true },
);

@Injectable()
export class NewFileStore {
  /**
   * Returns the files that were inserted, by id; of several with one id the first. `urlSeconds`: how long the signed URL is valid.
   * Throws when the data of an event does not fit its contract.
   */
  async insert(
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
    const events = [...byId].flatMap(([fileId, registration]) =>
      registration.events.map((event) => ({ fileId, ...outboxRow(event) })),
    );
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
}
