// Writes the variants that runs have made, and their events.
import { filesEvents, encodeId, type MadeVariant, type TraceContext } from '@kiln/contracts';
import { newEvent, outboxRow, statement, type NewEvent, type OutboxRow, type Transaction } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { fileFact, fileLabels, type FileRow } from '../files/file.rows.js';

/** A variant that a run has made of its file, whose row the transaction has locked. */
export interface FileVariant {
  file: FileRow;
  jobId: string;
  variant: MadeVariant;
  /** Trace context of the run. */
  trace?: TraceContext | undefined;
}

/**
 * Set-based. Writes variants of files of tenant $1 from $2 to $10, each with the event that announces it in $11 and $12 (id,
 * envelope). A variant with the same content is not written again. An event is sent if one of its variants was written. $13 is
 * the type of the events.
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
   )
   insert into outbox (id, type, envelope)
   select distinct event_id, $13::text, envelope from made join changed using (file_id, type)`,
  { appendsEvents: true },
);

/** Writes at most one variant of each type for a file. */
export async function putVariants(
  transaction: Transaction,
  tenantId: string,
  made: readonly FileVariant[],
): Promise<void> {
  if (made.length === 0) return;
  const events = eventsOf(tenantId, made);
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
    made.map((variant) => events.get(variant)?.id),
    made.map((variant) => events.get(variant)?.envelope),
    filesEvents.variantReady.type,
  ]);
}

/** The event of each variant. Variants of a file from one provider share an event. */
function eventsOf(tenantId: string, made: readonly FileVariant[]): Map<FileVariant, OutboxRow> {
  const groups = Map.groupBy(made, ({ file, variant }) => `${file.id} ${variant.provider}`);
  return new Map(
    [...groups.values()].flatMap((group) => {
      const event = outboxRow(variantReady(tenantId, group));
      return group.map((variant) => [variant, event] as const);
    }),
  );
}

/** The variants are of one file and one provider. */
function variantReady(tenantId: string, made: readonly FileVariant[]): NewEvent {
  const { file, variant, trace } = made[0] as FileVariant;
  const types = made.map(({ variant: { type } }) => type);
  const data = { ...fileFact(file), ...fileLabels(file), variants: types, provider: variant.provider };
  return newEvent({ definition: filesEvents.variantReady, tenantId, subject: encodeId('file', file.id), trace, data });
}
