// POST /v1/upload/batch: each entry is validated on its own; valid entries are registered together.
import {
  asCodedError,
  badRequest,
  CodedError,
  filesOperations,
  jsonUploadSchema,
  parseInput,
  type batchUploadedSchema,
  type batchUploadSchema,
  type CallContext,
  type ExpectedJob,
  type OperationInput,
} from '@kiln/contracts';
import { EventLoopBudget } from '@kiln/platform';
import type { z } from 'zod';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { jobRequestOf } from '../upload/job-creator.adapter.js';
import { expectedJobs, releasedIfRefused } from '../quota/quota.service.js';
import { checkClaimedSize } from '../upload/store-stream.service.js';
import { newFileIds, type UploadFields } from '../upload/upload-fields.domain.js';

type Uploaded = z.output<typeof batchUploadedSchema>;
type NewFile = OperationInput<typeof filesOperations.createUploads>['files'][number];

type BatchServices = Pick<GatewayServices, 'rpc' | 'quota' | 'jobCreator' | 'tenantPauses' | 'uploadBytesMax'>;

interface Entry {
  index: number;
  file: NewFile;
  /** Of the file as JSON. */
  bytes: number;
}

/** The size of the files of one call as JSON. A larger call would keep the files service from other work for too long. */
const CALL_BYTES_MAX = 64_000;

export async function uploadBatch(
  { body, caller, context, ids }: RouteRequest<object, object, z.output<typeof batchUploadSchema>>,
  services: BatchServices,
): Promise<Uploaded> {
  const batch_id = ids.id('batch');
  const files: Uploaded['files'] = [];
  const entries: Entry[] = [];
  const budget = new EventLoopBudget();
  for (const [index, value] of body.files.entries()) {
    if (budget.isSpent) await budget.renew();
    try {
      const fields = parseEntry(value, services.uploadBytesMax);
      const file = { ...fields, ...newFileIds(fields, ids, String(index)) };
      entries.push({ index, file, bytes: Buffer.byteLength(JSON.stringify(file)) });
    } catch (error) {
      files[index] = refused(index, asCodedError(error));
    }
  }
  if (entries.length === 0) throw allBad(files);
  const reservation = await services.quota.admit(caller, expectedJobsOf(entries), context);
  const parts = bySize(entries);
  const failures: unknown[] = [];
  for (const part of parts) {
    const startedAt = performance.now();
    try {
      const call = register(batch_id, part, context, services);
      for (const uploaded of await releasedIfRefused(reservation, call, jobIdsOf(part)))
        files[uploaded.index] = uploaded;
    } catch (error) {
      failures.push(error);
      for (const { index } of part) files[index] = refused(index, asCodedError(error));
    }
    if (part !== parts.at(-1)) await services.tenantPauses.pause(caller.tenantId, startedAt);
  }
  // If nothing was registered, the whole request failed and may be repeated.
  if (failures.length === parts.length) throw failures[0];
  return { batch_id, files };
}

function parseEntry(value: unknown, uploadBytesMax: number): UploadFields {
  const fields = parseInput(jsonUploadSchema, value);
  if (fields.on_conflict === 'replace')
    throw badRequest('on_conflict: a batch creates files only. Upload a file that replaces another one alone.');
  checkClaimedSize(fields, uploadBytesMax);
  return fields;
}

const expectedJobsOf = (entries: Entry[]): ExpectedJob[] =>
  entries.flatMap(({ file }) => expectedJobs(file.job_id, file));

const jobIdsOf = (entries: Entry[]): string[] => expectedJobsOf(entries).map(({ id }) => id);

async function register(batch_id: string, entries: Entry[], context: CallContext, services: BatchServices) {
  const input = { batch_id, files: entries.map(({ file }) => file) };
  const { files: created } = await services.rpc.call(filesOperations.createUploads, input, context);
  const uploads = created.map((upload, position) => {
    const entry = entries[position];
    if (!entry) throw new Error('the files service returned more files than were requested');
    return { ...entry, upload };
  });
  const jobs = uploads.map(({ file, upload }) => jobRequestOf(file, upload, { ready: false, batch_id }));
  await services.jobCreator.create(jobs, context);
  return uploads.map(({ index, upload }) => ({ index, ...upload }));
}

function refused(index: number, { publicCode: code, message }: CodedError): Uploaded['files'][number] {
  return { index, error: { code, message } };
}

function allBad(files: Uploaded['files']): CodedError {
  const errors = files.flatMap((file) => ('error' in file ? [file.error] : []));
  const message = `files: no entry is right. The first: ${errors[0]?.message ?? ''}`;
  const isTooLarge = errors.every(({ code }) => code === 'PAYLOAD_TOO_LARGE');
  return isTooLarge ? new CodedError('PAYLOAD_TOO_LARGE', message) : badRequest(message);
}

function bySize(entries: Entry[]): Entry[][] {
  const parts: Entry[][] = [];
  let bytes = Infinity;
  for (const entry of entries) {
    if (bytes + entry.bytes > CALL_BYTES_MAX) {
      parts.push([]);
      bytes = 0;
    }
    bytes += entry.bytes;
    parts.at(-1)?.push(entry);
  }
  return parts;
}
