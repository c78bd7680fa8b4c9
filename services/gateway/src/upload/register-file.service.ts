// Registers files whose bytes are in the store.
import {
  CodedError,
  filesOperations,
  type CallContext,
  type FilesInput,
  type FilesOutput,
  type storedFileSchema,
} from '@kiln/contracts';
import { retry } from '@kiln/resilience';
import type { z } from 'zod';
import { ReusedKey } from '../idempotency/reused-key.domain.js';
import { wasRefused } from '../quota/quota.service.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { jobRequestOf } from './job-creator.adapter.js';
import { newFileIds, type UploadFields } from './upload-fields.domain.js';

export type NewFile = FilesInput<'createFile'>;
export type StoredFile = z.output<typeof storedFileSchema>;

const REGISTER_TIMEOUT_MS = 10_000;
/** The files service restarts in less time. The bytes are stored already, so it is worth waiting. */
const RETRY_WINDOW_MS = 3_000;
const RETRY_WAIT_MS = 150;

/** The upload may take an hour, so the deadline counts from its end. */
export const inTime = (context: CallContext): CallContext => ({
  ...context,
  deadlineAt: Date.now() + REGISTER_TIMEOUT_MS,
});

/** Registers a file whose bytes are stored. Calls `undo` unless the service may have committed the file and died before it replied. */
export async function registerFile(
  file: NewFile,
  callerContext: CallContext,
  { rpc, jobCreator }: GatewayServices,
  undo?: () => Promise<void>,
): Promise<StoredFile> {
  const context = inTime(callerContext);
  const retryUntil = Date.now() + RETRY_WINDOW_MS;
  let perhapsRegistered = false;
  const waitMs = (error: unknown) => {
    perhapsRegistered ||= !wasRefused(error);
    const again = error instanceof CodedError && error.code === 'UNAVAILABLE' && Date.now() < retryUntil;
    return again ? RETRY_WAIT_MS : null;
  };
  let created: FilesOutput<'createFile'>;
  try {
    created = await retry(() => rpc.call(filesOperations.createFile, file, context), { waitMs });
  } catch (error) {
    // The files service removes bytes without a file later.
    if (!perhapsRegistered) await undo?.();
    throw error;
  }
  await jobCreator.create([jobRequestOf(file, created, { ready: true })], context);
  return { ...created, sha256: file.sha256 };
}

/** Finds the file that an earlier attempt under the same Idempotency-Key has registered. */
export async function earlierFile(
  { ids, context }: Pick<RouteRequest<object, object>, 'ids' | 'context'>,
  { rpc }: Pick<GatewayServices, 'rpc'>,
): Promise<FilesOutput<'getFile'> | null> {
  if (!ids.mayExist) return null;
  try {
    return await rpc.call(filesOperations.getFile, { id: ids.id('file'), is_upload: true }, inTime(context));
  } catch (error) {
    if (error instanceof CodedError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/** Throws CONFLICT if the repeat has other bytes than the earlier attempt, whose file has `sha256`. */
export function assertSameBytes(sha256: string, existing: Pick<FilesOutput<'getFile'>, 'sha256'>): void {
  if (sha256 !== existing.sha256) throw new ReusedKey('file');
}

/** Registers the file of an earlier attempt again, with its bytes. */
export function registerAgain(
  fields: UploadFields,
  { ids, context }: Pick<RouteRequest<object, object>, 'ids' | 'context'>,
  {
    sha256,
    content_type,
    size_bytes,
  }: Pick<FilesOutput<'getFile'>, 'content_type' | 'size_bytes'> & { sha256: string },
  services: GatewayServices,
): Promise<StoredFile> {
  const known = { sha256, content_type: content_type ?? undefined, size_bytes: size_bytes ?? 0 };
  return registerFile({ ...fields, ...newFileIds(fields, ids), ...known }, context, services);
}

/**
 * Deletes the stored bytes, unless a repeat of the request may have stored them, or registered a file with them. If they are not deleted and
 * no row refers to them, the files service removes them later.
 */
export async function discardBytes(
  key: string,
  { ids, context: { requestId } }: Pick<RouteRequest<object, object>, 'ids' | 'context'>,
  { store, logger }: GatewayServices,
): Promise<void> {
  if (ids.areRepeatable) return;
  await store.delete(key).catch((error: unknown) => {
    logger.warn(
      { err: error, requestId },
      'Deleting the bytes of a refused upload failed; the files service removes them later',
    );
  });
}
