// Registers an upload at the files service, under ids chosen by the gateway, so that a repeated call registers one file.
import {
  CodedError,
  encodeId,
  filesOperations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { isUnheard } from '@kiln/platform';
import { retry } from '@kiln/resilience';
import type { RequestIds } from '../idempotency/request-ids.domain.js';
import { v7 as uuidv7 } from 'uuid';
import type { GatewayServices } from '../services.port.js';

/** Long enough for a restart of the service: the bytes are stored already, so it is worth waiting. */
const RETRY_WINDOW_MS = 3_000;
const RETRY_WAIT_MS = 150;

export interface NewFileIds {
  file_id: string;
  /** Null if the file is not to be processed. */
  job_id: string | null;
}

export const newJobId = (): string => encodeId('job', uuidv7());

/** `entry` distinguishes the files of one request. */
export function newFileIds(skipProcessing: boolean, ids: RequestIds, entry = ''): NewFileIds {
  const job_id = skipProcessing ? null : encodeId('job', ids.uuid(`job ${entry}`));
  return { file_id: encodeId('file', ids.uuid(`file ${entry}`)), job_id };
}

type NewFile = OperationInput<typeof filesOperations.createFile>;

/** Registers a file whose bytes are stored. Retries while the service is unavailable. Throws RegistrationError. */
export async function registerFile(
  file: NewFile,
  context: CallContext,
  { rpc }: Pick<GatewayServices, 'rpc'>,
): Promise<OperationOutput<typeof filesOperations.createFile>> {
  const retryUntil = Date.now() + RETRY_WINDOW_MS;
  let sent = false;
  const waitMs = (error: unknown) => {
    sent ||= !wasRefused(error);
    const again = error instanceof CodedError && error.code === 'UNAVAILABLE' && Date.now() < retryUntil;
    return again ? RETRY_WAIT_MS : null;
  };
  try {
    return await retry(() => rpc.call(filesOperations.createFile, file, context), { waitMs });
  } catch (error) {
    throw new RegistrationError(error, sent);
  }
}

/** The reason why registering failed, and whether the file may be registered nevertheless. */
export class RegistrationError extends Error {
  constructor(
    readonly reason: unknown,
    /** The service may have committed the file and died before it replied. */
    readonly perhapsRegistered: boolean,
  ) {
    super('the file was not registered', { cause: reason });
  }
}

/** Whether the service certainly did not register the file: it refused, or no instance received the call. */
export function wasRefused(error: unknown): boolean {
  if (!(error instanceof CodedError)) return false;
  if (error.code !== 'UNAVAILABLE') return error.status < 500;
  return isUnheard(error);
}
