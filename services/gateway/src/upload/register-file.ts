// Makes an upload known to the files service, under ids the gateway made, so that asking twice registers once.
import {
  CodedError,
  encodeId,
  filesOperations,
  JOBS_PER_CALL_MAX,
  jobsOperations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { isUnheard } from '@kiln/platform';
import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import type { GatewayServices } from '../services.js';
import type { UploadFields } from './upload-fields.js';

/** Long enough to ride out the restart of a service: the bytes are stored already, it would be a pity. */
const RETRY_WINDOW_MS = 3_000;
const RETRY_WAIT_MS = 150;
const JOB_TIMEOUT_MS = 2_000;

export interface NewFileIds {
  file_id: string;
  /** Null when the file is not to be processed. */
  job_id: string | null;
}

export const newJobId = (): string => encodeId('job', uuidv7());

export function newFileIds(skipProcessing: boolean): NewFileIds {
  return { file_id: encodeId('file', uuidv7()), job_id: skipProcessing ? null : newJobId() };
}

type NewFile = OperationInput<typeof filesOperations.createFile>;

/** Registers a file whose bytes are stored, trying again while the service is away. Throws CodedError. */
export async function registerFile(
  file: NewFile,
  context: CallContext,
  { rpc }: Pick<GatewayServices, 'rpc'>,
): Promise<OperationOutput<typeof filesOperations.createFile>> {
  const retryUntil = Date.now() + RETRY_WINDOW_MS;
  for (let sent = false; ;) {
    try {
      return await rpc.call(filesOperations.createFile, file, context);
    } catch (error) {
      sent ||= !wasRefused(error);
      const again = error instanceof CodedError && error.code === 'UNAVAILABLE' && Date.now() < retryUntil;
      if (!again) throw new RegistrationError(error, sent);
    }
    await delay(RETRY_WAIT_MS);
  }
}

/** Why a file was not registered, and whether it might be all the same. */
export class RegistrationError extends Error {
  constructor(
    readonly reason: unknown,
    /** The service may have committed the file and died before it could say so. */
    readonly perhapsRegistered: boolean,
  ) {
    super('the file was not registered', { cause: reason });
  }
}

/** Whether it is certain that the service did not do it: it said no, or nobody was there to hear. */
export function wasRefused(error: unknown): boolean {
  if (!(error instanceof CodedError)) return false;
  if (error.code !== 'UNAVAILABLE') return error.status < 500;
  return isUnheard(error);
}

type JobRequest = OperationInput<typeof jobsOperations.createJobs>['jobs'][number];

/** What the jobs service is asked for a file that was registered with these fields; null when it is not to be processed. */
export function jobRequestOf(
  { provider, embedding_model, chunking, variants }: UploadFields,
  created: OperationOutput<typeof filesOperations.createFile>,
  { ready, batch_id = null }: { ready: boolean; batch_id?: string | null },
): JobRequest | null {
  if (created.job_id === null) return null;
  return {
    file_id: created.id,
    job_id: created.job_id,
    batch_id,
    space: created.space,
    filename: created.filename,
    content_type: created.content_type,
    ready,
    processing: { provider, embedding_model, chunking, variants },
  };
}

/**
 * Makes jobs readable at once. The files service's events make them as well, only later, so failing here costs nothing
 * but that.
 */
export async function announceJobs(
  requests: readonly (JobRequest | null)[],
  context: CallContext,
  { rpc, logger }: Pick<GatewayServices, 'rpc' | 'logger'>,
): Promise<void> {
  const jobs = requests.filter((request) => request !== null);
  const [first] = jobs;
  if (!first) return;
  const limited = { ...context, deadlineAt: Date.now() + JOB_TIMEOUT_MS };
  try {
    for (let start = 0; start < jobs.length; start += JOBS_PER_CALL_MAX) {
      await rpc.call(jobsOperations.createJobs, { jobs: jobs.slice(start, start + JOBS_PER_CALL_MAX) }, limited);
    }
  } catch (error) {
    const about = { requestId: context.requestId, jobId: first.job_id, jobs: jobs.length };
    logger.warn({ err: error, ...about }, 'jobs will be made by their events');
  }
}
