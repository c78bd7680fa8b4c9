// Writes the variants that runs have made, their events, and the words for the `search` of a list.
import { filesEvents, encodeId, type MadeVariant, type TraceContext } from '@kiln/contracts';
import { newEvent, outboxRow, statement, type Transaction } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { fileFact, type FileRow } from '../files/file.rows.js';

/** A variant that a run has made of its file, whose row the transaction has locked. */
export interface FileVariant {
  file: FileRow;
  jobId: string;
  variant: MadeVariant;
  /** Trace context of the run. */
  trace?: TraceContext | undefined;
}

export interface FileWords {
  fileId: string;
  /** The distinct words of its text, in folded case. */
  words: readonly string[];
}

/**
 * Writes variants of files of tenant $1 from $2 to $10, each with its event in $11 and $12 (id, envelope); words from $14 and $15. A
 * variant with the same content is neither written again nor announced again. $13 is the type of the events.
 */
const put = statement(
  'made_variants.put',
  `with made as (
     select * from unnest($2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::bigint[], $8::text[], $9::text[],
                          $10::text[], $11::uuid[], $12::text[])
       as made (file_id, type, id, job_id, content_type, size_bytes, content, content_key, provider, event_id, envelope)
   ), changed as (
     insert into variants as v (tenant_id, file_id, type, id, job_id, content_type, size_bytes, content, content_key, provider)
     select $1, file_id, type, id, job_id, content_type, size_bytes, content, content_key, provider from made
     on conflict (tenant_id, file_id, type) do update
       set id = excluded.id, job_id = excluded.job_id, content_type = excluded.content_type,
           size_bytes = excluded.size_bytes, content = excluded.content, content_key = excluded.content_key,
           provider = excluded.provider, created_at = now()
       where (v.job_id, v.content_type, v.content, v.content_key, v.provider)
         is distinct from (excluded.job_id, excluded.content_type, excluded.content, excluded.content_key, excluded.provider)
     returning file_id, type
   ), announced as (
     insert into outbox (id, type, envelope)
     select event_id, $13::text, envelope from made join changed using (file_id, type)
   )
   update file_terms t set words = string_to_array(given.words, ' ')
   from unnest($14::uuid[], $15::text[]) as given (file_id, words)
   where t.tenant_id = $1 and t.file_id = given.file_id`,
  { appendsEvents: true },
);

/** At most one variant of each type for a file. */
export async function putVariants(
  transaction: Transaction,
  tenantId: string,
  made: readonly FileVariant[],
  words: readonly FileWords[],
): Promise<void> {
  if (made.length === 0) return;
  const events = made.map((variant) => outboxRow(variantReady(tenantId, variant)));
  const of = <Value>(value: (variant: MadeVariant) => Value) => made.map(({ variant }) => value(variant));
  await transaction.query(put, [
    tenantId,
    made.map(({ file }) => file.id),
    of(({ type }) => type),
    made.map(() => uuidv7()),
    made.map(({ jobId }) => jobId),
    of(({ content_type: contentType }) => contentType),
    of(({ size_bytes: sizeBytes }) => sizeBytes),
    of(({ content }) => content),
    of(({ content_key: key }) => key),
    of(({ provider }) => provider),
    events.map(({ id }) => id),
    events.map(({ envelope }) => envelope),
    filesEvents.variantReady.type,
    words.map(({ fileId }) => fileId),
    words.map((file) => file.words.join(' ')),
  ]);
}

function variantReady(tenantId: string, { file, variant: { type, provider }, trace }: FileVariant) {
  const data = { ...fileFact(file), type, provider };
  return newEvent({ definition: filesEvents.variantReady, tenantId, subject: encodeId('file', file.id), trace, data });
}
