// Creates jobs, each once, whether the direct call or the event arrives first. One statement, or two, for any number of jobs.
import { encodeId, liveTenantOf, uuidOf } from '@kiln/contracts';
import { statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { laneOf } from '../claims/lane.domain.js';
import type { JobRequest } from '../jobs/job.store.js';
import { ruledProvider } from '../organization/settings/routing-rule.store.js';
import { processingDefaults } from '../organization/settings/settings.store.js';
import { joinQueue } from '../claims/tenant-queue.rows.js';

/** SQL: the provider of the request, else of the organization's rules, else of the default table. */
const provider = (processing: string) =>
  `coalesce(${processing} ->> 'provider', ${ruledProvider('$3::uuid', 'g.content_type')}, g.provider)`;

/** $3 is the organization's tenant of live mode. Rows are inserted in the order of ids, which prevents deadlocks. */
const insert = statement(
  'job_batches.insert',
  `with made as (
     insert into jobs (
       tenant_id, id, file_id, space, filename, content_type, lane, ready, processing, provider, batch_id, priority,
       traceparent)
     select $1, g.id, g.file_id, g.space, g.filename, g.content_type, g.lane, g.ready,
       ${processingDefaults('$3::uuid')} || g.processing, ${provider('g.processing')}, g.batch_id,
       case when g.batch_id is null then 0 else 1 end, g.traceparent
     from jsonb_to_recordset($2::jsonb) as g (
       id uuid, file_id uuid, space text, filename text, content_type text, lane text, ready boolean, processing jsonb, provider text,
       batch_id uuid, traceparent text)
     where not exists (select 1 from deleted_files d where d.tenant_id = $1 and d.file_id = g.file_id)
     order by g.id
     on conflict (tenant_id, id) do nothing
     returning id, ready, lane
   ), ${joinQueue('made where ready')}
   select id from made`,
);
const makeReady = statement(
  'job_batches.make_ready',
  `with given as (
     select * from jsonb_to_recordset($2::jsonb) as g (id uuid, content_type text, lane text, ready boolean, provider text)
   ), waiting as (
     select id from jobs where tenant_id = $1 and id = any(array(select id from given where ready)) and not ready
       and status = 'queued' order by id for no key update
   ), readied as (
     update jobs j set ready = true, content_type = g.content_type, lane = g.lane,
       provider = ${provider('j.processing')}, due_at = now()
     from given g join waiting using (id) where j.tenant_id = $1 and j.id = g.id and g.ready
     returning j.id, j.lane
   ), ${joinQueue('readied')}
   select id from readied`,
);

/** A request, and the provider it was routed to. */
export interface RoutedRequest {
  request: JobRequest;
  provider: string | null;
  /** The trace that the request belongs to. */
  traceparent?: string | undefined;
}

function rowsOf(requests: readonly RoutedRequest[]): string {
  const rows = requests.map(({ request, provider, traceparent }) => ({
    id: uuidOf('job', request.job_id),
    file_id: uuidOf('file', request.file_id),
    space: request.space,
    filename: request.filename,
    content_type: request.content_type,
    lane: laneOf(request),
    ready: request.ready,
    processing: request.processing,
    provider,
    batch_id: request.batch_id === null ? null : uuidOf('batch', request.batch_id),
    traceparent,
  }));
  return JSON.stringify(rows);
}

@Injectable()
export class JobBatchStore {
  /** Creates the jobs that do not exist, and makes those ready whose bytes have arrived. Returns the ids of the new jobs. Idempotent. */
  async upsert(on: Queryable, tenantId: string, requests: RoutedRequest[]): Promise<Set<string>> {
    const values = [tenantId, rowsOf(requests), liveTenantOf(tenantId)];
    const made = await on.query<{ id: string }>(insert, values);
    const isReady = requests.some(({ request }) => request.ready);
    if (isReady && made.length < requests.length) await on.query(makeReady, values);
    return new Set(made.map(({ id }) => encodeId('job', id)));
  }
}
