// POST /v1/upload takes the bytes with the request (multipart), or answers a JSON request with a signed URL for them.
import {
  badRequest,
  CodedError,
  conflict,
  filesOperations,
  sourceKey,
  uuidOf,
  type CallContext,
  type FilesInput,
  type FilesOutput,
  type signedUploadSchema,
  type storedFileSchema,
} from '@kiln/contracts';
import { sniffContentType } from '@kiln/readers/sniff/sniff-content-type';
import { retry } from '@kiln/resilience';
import type { z } from 'zod';
import { stateOf } from '../http/request-state.http.js';
import { expectedJob, releasedIfRefused, wasRefused, type PageReservation } from '../quota/quota.service.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { jobRequestOf } from './job-creator.adapter.js';
import { measureUpload, readMultipart, type FilePart } from './multipart.http.js';
import { checkClaimedSize, storeStream, tooLarge, type StoredStream } from './store-stream.service.js';
import { checkFieldsSoFar, newFileIds, parseUploadFields, type UploadFields } from './upload-fields.domain.js';

type NewFile = FilesInput<'createFile'>;
type UploadRequest = RouteRequest<object, object, UploadFields | undefined>;
type SignedUpload = z.output<typeof signedUploadSchema>;
type StoredFile = z.output<typeof storedFileSchema>;

const REGISTER_TIMEOUT_MS = 10_000;
/** The files service restarts in less time. The bytes are stored already, so it is worth waiting. */
const RETRY_WINDOW_MS = 3_000;
const RETRY_WAIT_MS = 150;
/** The size of the fields of a multipart body beside the file. */
const OVERHEAD_BYTES_MAX = 20 * 1024 * 1024;

export async function upload(request: UploadRequest, services: GatewayServices): Promise<SignedUpload | StoredFile> {
  const { body, http, context, ids } = request;
  if (body) return createUpload({ ...request, body }, services);
  const { uploadBytesMax } = services;
  const sizeBytesMax = Number(http.headers['content-length'] ?? uploadBytesMax);
  if (sizeBytesMax > uploadBytesMax + OVERHEAD_BYTES_MAX) throw tooLarge(uploadBytesMax);
  const existing = ids.mayExist ? await findFile(ids.id('file'), inTime(context), services) : null;
  return existing ? uploadAgain(request, existing, services) : uploadStream(request, sizeBytesMax, services);
}

/** Registers an upload to a signed URL. POST /v1/files does the same with fewer fields. */
export async function createUpload(
  { body: fields, caller, context, ids }: RouteRequest<object, object, UploadFields>,
  services: GatewayServices,
): Promise<SignedUpload> {
  checkClaimedSize(fields, services.uploadBytesMax);
  const { file_id, job_id } = newFileIds(fields, ids);
  const reservation = await services.quota.admit(caller, job_id === null ? [] : [expectedJob(job_id, fields)], context);
  const call = services.rpc.call(filesOperations.createUpload, { ...fields, file_id, job_id }, context);
  const created = await releasedIfRefused(reservation, call);
  await services.jobCreator.create([jobRequestOf(fields, created, { ready: false })], context);
  return created;
}

async function uploadStream(
  { http, caller, context, ids }: UploadRequest,
  sizeBytesMax: number,
  services: GatewayServices,
): Promise<StoredFile> {
  const { store, quota, uploadBytesMax } = services;
  const [file_id, job_id] = [ids.id('file'), ids.id('job')];
  const key = sourceKey(context.tenantId, uuidOf('file', file_id));
  const held: { reservation?: PageReservation } = {};
  let started = false;
  const undo = async () => {
    await held.reservation?.release();
    if (started && !ids.mayExist) await discard(key, context, services);
  };
  let file: NewFile;
  try {
    const { fields: texts, stored } = await readMultipart(http, async (part, fieldsBefore) => {
      checkFieldsSoFar(fieldsBefore, part.filename);
      // A later field may still demand to skip processing. Until then the upload counts as work: a caller should not send
      // gigabytes to learn that the quota is exceeded.
      const isWork = fieldsBefore.get('skip_processing') !== 'true';
      if (isWork) held.reservation = await quota.admit(caller, [{ id: job_id }], inTime(context));
      started = true;
      const filename = fieldsBefore.get('filename') ?? part.filename ?? '';
      const onLarge = () => stateOf(http).memory?.growFor(sizeBytesMax);
      const limits = { bytesMax: uploadBytesMax, sizeBytesMax, onLarge };
      const target = { store, key, ...limits, filename, claimedType: part.contentType };
      return { part, storedAs: filename, ...(await storeStream(part.stream as AsyncIterable<Buffer>, target)) };
    });
    if (!stored) throw noFile();
    const fields = parseUploadFields(texts, stored.part.filename);
    stateOf(http).upload = { fields, sha256: stored.sha256 };
    const known = { content_type: await contentTypeOf(fields, stored), size_bytes: stored.sizeBytes };
    if (fields.skip_processing) await held.reservation?.release();
    else await held.reservation?.renew(inTime(context), [expectedJob(job_id, known)]);
    const named = { file_id, job_id: fields.skip_processing ? null : job_id };
    file = { ...fields, ...named, ...known, sha256: stored.sha256 };
  } catch (error) {
    await undo();
    throw error;
  }
  return register(file, context, services, undo);
}

async function findFile(
  id: string,
  context: CallContext,
  { rpc }: Pick<GatewayServices, 'rpc'>,
): Promise<FilesOutput<'getFile'> | null> {
  try {
    return await rpc.call(filesOperations.getFile, { id }, context);
  } catch (error) {
    if (error instanceof CodedError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/** An earlier attempt under the same Idempotency-Key has registered the file. Its bytes are compared, and not stored again. */
async function uploadAgain(
  { http, context, ids }: UploadRequest,
  { sha256, content_type, size_bytes }: FilesOutput<'getFile'>,
  services: GatewayServices,
): Promise<StoredFile> {
  const measured = await measureUpload(http, services.uploadBytesMax);
  if (!measured) throw noFile();
  if (measured.sha256 !== sha256) throw conflict('This Idempotency-Key was used with another file. Use a new key.');
  stateOf(http).upload = measured;
  const { fields } = measured;
  const known = { sha256, content_type: content_type ?? undefined, size_bytes: size_bytes ?? 0 };
  return register({ ...fields, ...newFileIds(fields, ids), ...known }, context, services);
}

/** The upload may take an hour, so the deadline counts from its end. */
const inTime = (context: CallContext): CallContext => ({ ...context, deadlineAt: Date.now() + REGISTER_TIMEOUT_MS });

/** Registers a file whose bytes are stored. Calls `undo` unless the service may have committed the file and died before it replied. */
async function register(
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

/** Checks the type again only if a field after the bytes contradicts what was known before. */
async function contentTypeOf(
  { filename, content_type }: UploadFields,
  { part, storedAs, head, contentType }: StoredStream & { part: FilePart; storedAs: string },
): Promise<string> {
  if (filename === storedAs && (content_type === undefined || content_type === part.contentType)) return contentType;
  return sniffContentType({ head, filename, claimed: content_type ?? part.contentType });
}

/** Deletes the stored bytes. If that fails, the files service removes them later, because no row refers to them. */
async function discard(key: string, { requestId }: CallContext, { store, logger }: GatewayServices): Promise<void> {
  await store.delete(key).catch((error: unknown) => {
    logger.warn(
      { err: error, requestId },
      'Deleting the bytes of a refused upload failed; the files service removes them later',
    );
  });
}

const noFile = () => badRequest('file is required: the body has no file part of this name');
