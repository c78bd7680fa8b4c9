// POST /v1/upload: bytes with the request (multipart) or to a signed URL afterwards (JSON).
import {
  badRequest,
  CodedError,
  conflict,
  filesOperations,
  sourceKey,
  uuidOf,
  type CallContext,
  type OperationOutput,
  type signedUploadSchema,
  type storedFileSchema,
} from '@kiln/contracts';
import { sniffContentType } from '@kiln/readers/sniff/sniff-content-type';
import type { z } from 'zod';
import { stateOf } from '../http/request-state.http.js';
import { expectedJob, type PageReservation } from '../quota/quota.service.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { readMultipart, type FilePart } from './multipart.http.js';
import { jobRequestOf } from './job-creator.adapter.js';
import { newFileIds, newJobId, registerFile, RegistrationError, wasRefused } from './register-file.adapter.js';
import { checkClaimedSize, measureStream, storeStream, tooLarge, type StoredStream } from './store-stream.service.js';
import { checkFieldsSoFar, parseUploadFields, type UploadFields } from './upload-fields.domain.js';

type UploadRequest = RouteRequest<object, object, UploadFields | undefined>;
type SignedUpload = z.output<typeof signedUploadSchema>;
type StoredFile = z.output<typeof storedFileSchema>;

const REGISTER_TIMEOUT_MS = 10_000;
/** The fields of a multipart body beside the file. */
const OVERHEAD_BYTES_MAX = 20 * 1024 * 1024;

export async function upload(request: UploadRequest, services: GatewayServices): Promise<SignedUpload | StoredFile> {
  return request.body ? uploadByUrl(request, request.body, services) : uploadStream(request, services);
}

/** POST /v1/files: an upload by signed URL with fewer fields. */
export function createFile(
  request: RouteRequest<object, object, UploadFields>,
  services: GatewayServices,
): Promise<SignedUpload> {
  return uploadByUrl(request, request.body, services);
}

async function uploadByUrl(
  { caller, context, ids }: Pick<UploadRequest, 'caller' | 'context' | 'ids'>,
  fields: UploadFields,
  services: GatewayServices,
): Promise<SignedUpload> {
  checkClaimedSize(fields, services.uploadBytesMax);
  const { file_id, job_id } = newFileIds(fields.skip_processing, ids);
  const reservation = await services.quota.admit(caller, job_id === null ? [] : [expectedJob(job_id, fields)], context);
  const input = { ...fields, file_id, job_id };
  const created = await services.rpc
    .call(filesOperations.createUpload, input, context)
    .catch(async (error: unknown) => {
      if (wasRefused(error)) await reservation.release();
      throw error;
    });
  await services.jobCreator.create([jobRequestOf(fields, created, { ready: false })], context);
  return created;
}

async function uploadStream(request: UploadRequest, services: GatewayServices): Promise<StoredFile> {
  const { http, caller, context, ids } = request;
  const { store, quota, uploadBytesMax } = services;
  const sizeBytesMax = Number(http.headers['content-length'] ?? uploadBytesMax);
  if (sizeBytesMax > uploadBytesMax + OVERHEAD_BYTES_MAX) throw tooLarge(uploadBytesMax);
  const chosen = newFileIds(false, ids);
  const [fileUuid, jobId] = [uuidOf('file', chosen.file_id), chosen.job_id ?? newJobId()];
  const existing = ids.mayExist ? await findFile(chosen.file_id, inTime(context), services) : null;
  if (existing) return uploadAgain(request, existing, services);
  const key = sourceKey(context.tenantId, fileUuid);
  const held: { reservation?: PageReservation } = {};
  let started = false;
  try {
    const { fields: texts, stored } = await readMultipart(http, async (part, fieldsBefore) => {
      checkFieldsSoFar(fieldsBefore, part.filename);
      // A later field may still say to skip processing. Until then it counts as work: a caller should not send gigabytes to learn that the quota is exceeded.
      const isWork = fieldsBefore.get('skip_processing') !== 'true';
      if (isWork) held.reservation = await quota.admit(caller, [{ id: jobId }], inTime(context));
      started = true;
      const filename = fieldsBefore.get('filename') ?? part.filename ?? '';
      const onLarge = () => stateOf(http).memory?.growFor(sizeBytesMax);
      const limits = { bytesMax: uploadBytesMax, sizeBytesMax, onLarge };
      const target = { store, key, ...limits, filename, claimedType: part.contentType };
      return { part, storedAs: filename, ...(await storeStream(part.stream as AsyncIterable<Buffer>, target)) };
    });
    if (!stored) throw badRequest('file is required: the body has no file part of this name');
    const fields = parseUploadFields(texts, stored.part.filename);
    stateOf(http).upload = { fields, sha256: stored.sha256 };
    const content_type = await contentTypeOf(fields, stored);
    const known = { content_type, size_bytes: stored.sizeBytes };
    if (fields.skip_processing) await held.reservation?.release();
    else await held.reservation?.renew(inTime(context), [expectedJob(jobId, known)]);
    const named = { file_id: chosen.file_id, job_id: fields.skip_processing ? null : jobId };
    return await register({ ...fields, ...named, ...known, sha256: stored.sha256 }, context, services);
  } catch (error) {
    const registration = error instanceof RegistrationError ? error : null;
    // If the file may be registered, its bytes are kept. The files service removes bytes without a file later.
    if (!registration?.perhapsRegistered) {
      await held.reservation?.release();
      if (started && !ids.mayExist) await discard(key, context, services);
    }
    throw registration ? registration.reason : error;
  }
}

type ExistingFile = OperationOutput<typeof filesOperations.getFile>;

async function findFile(
  id: string,
  context: CallContext,
  { rpc }: Pick<GatewayServices, 'rpc'>,
): Promise<ExistingFile | null> {
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
  { sha256, content_type, size_bytes }: ExistingFile,
  services: GatewayServices,
): Promise<StoredFile> {
  const { fields: texts, stored } = await readMultipart(http, async ({ filename, stream }) => {
    return { filename, sha256: await measureStream(stream as AsyncIterable<Buffer>, services.uploadBytesMax) };
  });
  if (!stored) throw badRequest('file is required: the body has no file part of this name');
  if (stored.sha256 !== sha256) throw conflict('This Idempotency-Key was used with another file. Use a new key.');
  const fields = parseUploadFields(texts, stored.filename);
  stateOf(http).upload = { fields, sha256 };
  const known = { sha256, content_type: content_type ?? undefined, size_bytes: size_bytes ?? 0 };
  const file = { ...fields, ...newFileIds(fields.skip_processing, ids), ...known };
  return register(file, context, services).catch((error: unknown) => {
    throw error instanceof RegistrationError ? error.reason : error;
  });
}

/** The upload may take an hour, so the deadline counts from its end. */
const inTime = (context: CallContext): CallContext => ({ ...context, deadlineAt: Date.now() + REGISTER_TIMEOUT_MS });

async function register(
  file: Parameters<typeof registerFile>[0],
  callerContext: CallContext,
  services: GatewayServices,
): Promise<StoredFile> {
  const context = inTime(callerContext);
  const created = await registerFile(file, context, services);
  await services.jobCreator.create([jobRequestOf(file, created, { ready: true })], context);
  return { ...created, sha256: file.sha256 };
}

/** Checked again only if a field after the bytes contradicts what was known before. */
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
