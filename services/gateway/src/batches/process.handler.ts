// Processes files again: one, or up to 1,000 as a batch. The gateway chooses the ids, so that a repeated call to a service has no
// further effect.
import {
  asCodedError,
  CodedError,
  decodeId,
  filesOperations,
  PROCESS_BATCH_FILES_MAX,
  PROCESS_FILES_PER_CALL_MAX,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type processBatchSchema,
  type processBatchStartedSchema,
  type processingSchema,
} from '@kiln/contracts';
import type { z } from 'zod';
import { mapAtATime, partsOf } from '../limits/at-a-time.domain.js';
import { releasedIfRefused, type PageReservation } from '../quota/quota.service.js';
import { idGiven } from '../routes/given-id.domain.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { selectFiles } from './select-files.service.js';

type Processing = z.output<typeof processingSchema>;
type Outcome = OperationOutput<typeof filesOperations.processFiles>;
type NewJob = OperationInput<typeof filesOperations.processFiles>['files'][number];
type Started = z.output<typeof processBatchStartedSchema>;

/** The number of concurrent calls for one batch. Each makes up to 16 requests to storage at a time. */
const CALLS_AT_A_TIME = 2;

export async function processFile(
  { params, body, caller, context, ids }: RouteRequest<{ id: string }, object, Processing>,
  services: GatewayServices,
) {
  const job_id = ids.id('job');
  const input = { batch_id: null, files: [{ file_id: params.id, job_id }], processing: body };
  const reservation = await services.quota.admit(caller, [{ id: job_id }], context);
  const call = services.rpc.call(filesOperations.processFiles, input, context);
  const { jobs, errors } = await releasedIfRefused(reservation, call);
  if (errors.length > 0) await reservation.release();
  for (const { code, message } of errors) throw new CodedError(code, message);
  await services.jobCreator.create(jobs, context);
  return { job_id, file_id: params.id, status: 'queued' as const };
}

type BatchRequest = RouteRequest<object, object, z.output<typeof processBatchSchema>>;

export async function processBatch(request: BatchRequest, services: GatewayServices): Promise<Started> {
  const { body, context } = request;
  const { file_ids, connection_id, selection, ...processing } = body;
  if (selection) {
    const { fileIds, more } = await selectFiles(selection, PROCESS_BATCH_FILES_MAX, context, services);
    return { ...(await processFiles(fileIds, processing, request, services)), more };
  }
  if (file_ids) return processFiles(file_ids, processing, request, services);
  return processConnection(connection_id ?? '', processing, request, services);
}

async function processFiles(
  fileIds: readonly string[],
  processing: Processing,
  { caller, context, ids }: Pick<BatchRequest, 'caller' | 'context' | 'ids'>,
  services: GatewayServices,
): Promise<Started> {
  const batch_id = ids.id('batch');
  const given = [...new Set(fileIds)];
  const files = given
    .filter((id) => decodeId('file', id) !== null)
    .map((file_id) => ({ file_id, job_id: ids.id('job', file_id) }));
  const unknown = given.filter((id) => decodeId('file', id) === null);
  const reservation = await services.quota.admit(
    caller,
    files.map(({ job_id }) => ({ id: job_id })),
    context,
  );
  const outcome = await processInParts({ batch_id, processing }, files, { reservation, context }, services);
  await services.jobCreator.create(outcome.jobs, context);
  const errors = [
    ...unknown.map((file_id) => ({ file_id, code: 'NOT_FOUND' as const, message: 'No file has this id.' })),
    ...outcome.errors,
  ].toSorted((a, b) => given.indexOf(a.file_id) - given.indexOf(b.file_id));
  return { batch_id, queued: outcome.jobs.length, job_ids: jobIdsOf(outcome.jobs), errors };
}

/** Only the services know which files the connection has, so they reserve the pages as well. */
async function processConnection(
  connectionId: string,
  processing: Processing,
  { caller, context, ids }: Pick<BatchRequest, 'caller' | 'context' | 'ids'>,
  services: GatewayServices,
): Promise<Started> {
  const connection_id = idGiven('connection', connectionId);
  const batch_id = ids.id('batch');
  const pages_limit = services.quota.hardLimitOf(caller);
  const input = { batch_id, connection_id, processing, pages_limit };
  const { jobs, rest } = await services.rpc.call(filesOperations.processConnection, input, context);
  await services.jobCreator.create(jobs, context);
  return { batch_id, queued: jobs.length, job_ids: jobIdsOf(jobs), rest, errors: [] };
}

/** Once one part has succeeded, its jobs run. A part that fails is then reported as an error of its files. */
async function processInParts(
  request: { batch_id: string; processing: Processing },
  files: NewJob[],
  { reservation, context }: { reservation: PageReservation; context: CallContext },
  { rpc }: Pick<GatewayServices, 'rpc'>,
): Promise<Outcome> {
  const failures: unknown[] = [];
  // A call without files makes the batch, which callers read.
  const parts = files.length === 0 ? [[]] : partsOf(files, PROCESS_FILES_PER_CALL_MAX);
  const outcomes = await mapAtATime(CALLS_AT_A_TIME, parts, async (part): Promise<Outcome> => {
    const call = rpc.call(filesOperations.processFiles, { ...request, files: part }, context);
    try {
      const outcome = await releasedIfRefused(reservation, call, jobIdsOf(part));
      const refused = new Set(outcome.errors.map(({ file_id }) => file_id));
      await reservation.release(jobIdsOf(part.filter(({ file_id }) => refused.has(file_id))));
      return outcome;
    } catch (error) {
      failures.push(error);
      const { publicCode: code, message } = asCodedError(error);
      return { jobs: [], errors: part.map(({ file_id }) => ({ file_id, code, message })) };
    }
  });
  if (failures.length > 0 && failures.length === parts.length) throw failures[0];
  return { jobs: outcomes.flatMap(({ jobs }) => jobs), errors: outcomes.flatMap(({ errors }) => errors) };
}

const jobIdsOf = (jobs: readonly Pick<NewJob, 'job_id'>[]): string[] => jobs.map(({ job_id }) => job_id);
