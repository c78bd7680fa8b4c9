// Makes jobs, once, whichever of the direct call and the event comes first: by one statement, or two, however many they are.
import { encodeId, liveTenantOf, uuidOf } from '@kiln/contracts';
import { statement, type Queryable } from '@kiln/platform';
import type { JobRequest } from './job.store.js';
import { ruledProvider } from './routing-rule.store.js';
import { processingDefaults } from './settings.store.js';
import { enterQueue } from './stage.rows.js';
import { joinQueue } from './tenant-queue.store.js';

/** What the organization has set fills what the request leaves open; the request's own provider comes before its rules. */
const provider = (processing: string) =>
  `coalesce(${processing} ->> 'provider', ${ruledProvider('$3::uuid', 'g.content_type')}, g.provider)`;

/** $3 is the organization's live tenant. In the order of ids, so that two batches never wait for each other. */
const insert = statement(
  'job_batches.insert',
  `with made as (
     insert into jobs (
       tenant_id, id, file_id, space, filename, content_type, ready, processing, provider, batch_id, priority)
     select $1, g.id, g.file_id, g.space, g.filename, g.content_type, g.ready,
       ${processingDefaults('$3::uuid')} || g.processing, ${provider('g.processing')}, g.batch_id,
       case when g.batch_id is null then 0 else 1 end
     from jsonb_to_recordset($2::jsonb) as g (
       id uuid, file_id uuid, space text, filename text, content_type text, ready boolean, processing jsonb, provider text,
       batch_id uuid)
     where not exists (select 1 from deleted_files d where d.tenant_id = $1 and d.file_id = g.file_id)
     order by g.id
     on conflict (tenant_id, id) do nothing
     returning tenant_id, created_at, id, fence, space, provider, priority, ready, run_after
   ), placed as (${enterQueue('made')}
   ), ${joinQueue('exists (select 1 from made where ready)')}
   select id from made`,
);
const makeReady = statement(
  'job_batches.make_ready',
  `with given as (
     select * from jsonb_to_recordset($2::jsonb) as g (id uuid, content_type text, ready boolean, provider text)
   ), waiting as (
     select id from jobs where tenant_id = $1 and id in (select id from given where ready) and not ready
       and status = 'queued' order by id for update
   ), readied as (
     update jobs j set ready = true, content_type = g.content_type,
       provider = ${provider('j.processing')}, run_after = now()
     from given g join waiting using (id) where j.tenant_id = $1 and j.id = g.id and g.ready
     returning j.tenant_id, j.created_at, j.id, j.provider, j.run_after
   ), ${joinQueue('exists (select 1 from readied)')}
   update queued_jobs q set ready = true, provider = readied.provider, run_after = readied.run_after from readied
   where q.tenant_id = readied.tenant_id and q.created_at = readied.created_at and q.id = readied.id`,
);

/** A request, and the provider it was routed to. */
export interface RoutedRequest {
  request: JobRequest;
  provider: string | null;
}

function rowsOf(requests: readonly RoutedRequest[]): string {
  const rows = requests.map(({ request, provider }) => ({
    id: uuidOf('job', request.job_id),
    file_id: uuidOf('file', request.file_id),
    space: request.space,
    filename: request.filename,
    content_type: request.content_type,
    ready: request.ready,
    processing: request.processing,
    provider,
    batch_id: request.batch_id === null ? null : uuidOf('batch', request.batch_id),
  }));
  return JSON.stringify(rows);
}

export class JobBatchStore {
  /** Makes the jobs that are not there and readies those whose bytes have come; answers the ids of the new ones. Safe to repeat. */
  async upsert(on: Queryable, tenantId: string, requests: RoutedRequest[]): Promise<Set<string>> {
    const values = [tenantId, rowsOf(requests), liveTenantOf(tenantId)];
    const made = await on.query<{ id: string }>(insert, values);
    const isReady = requests.some(({ request }) => request.ready);
    if (isReady && made.length < requests.length) await on.query(makeReady, values);
    return new Set(made.map(({ id }) => encodeId('job', id)));
  }
}
