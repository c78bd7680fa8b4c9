// POST /v1/upload takes the bytes with the request (multipart), or answers a JSON request with a signed URL for them.
import { badRequest, sourceKey, uuidOf, type FilesOutput } from '@kiln/contracts';
import { sniffContentType } from '@kiln/file-types/sniff-content-type';
import { stateOf } from '../http/request-state.http.js';
import { expectedJobs, type PageReservation } from '../quota/quota.service.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { assertMayWait } from './await-processing.handler.js';
import { measureUpload, readMultipart, type FilePart } from './multipart.http.js';
import {
  assertSameBytes,
  discardBytes,
  earlierFile,
  inTime,
  registerAgain,
  registerFile,
  type NewFile,
  type StoredFile,
} from './register-file.service.js';
import { createUpload, type SignedUpload } from './signed-upload.handler.js';
import { storeStream, tooLarge, type StoredStream } from './store-stream.service.js';
import { checkFieldsSoFar, parseUploadFields, type UploadFields } from './upload-fields.domain.js';

type UploadRequest = RouteRequest<object, { wait: number }, UploadFields | undefined>;

/** The size of the fields of a multipart body beside the file. */
const OVERHEAD_BYTES_MAX = 20 * 1024 * 1024;

export async function upload(request: UploadRequest, services: GatewayServices): Promise<SignedUpload | StoredFile> {
  const { body, query, caller, http } = request;
  assertMayWait(caller, query);
  if (body) return createUpload({ ...request, body }, services);
  const { uploadBytesMax } = services;
  const sizeBytesMax = Number(http.headers['content-length'] ?? uploadBytesMax);
  if (sizeBytesMax > uploadBytesMax + OVERHEAD_BYTES_MAX) throw tooLarge(uploadBytesMax);
  const existing = await earlierFile(request, services);
  return existing ? uploadAgain(request, existing, services) : uploadStream(request, sizeBytesMax, services);
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
    if (started) await discardBytes(key, { context, ids }, services);
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
    else await held.reservation?.renew(inTime(context), expectedJobs(job_id, known));
    const named = { file_id, job_id: fields.skip_processing ? null : job_id };
    file = { ...fields, ...named, ...known, sha256: stored.sha256 };
  } catch (error) {
    await undo();
    throw error;
  }
  return registerFile(file, context, services, undo);
}

/** An earlier attempt under the same Idempotency-Key has registered the file. Its bytes are compared, and not stored again. */
async function uploadAgain(
  request: UploadRequest,
  existing: FilesOutput<'getFile'>,
  services: GatewayServices,
): Promise<StoredFile> {
  const measured = await measureUpload(request.http, services.uploadBytesMax);
  if (!measured) throw noFile();
  const { fields, sha256 } = measured;
  assertSameBytes(sha256, existing);
  stateOf(request.http).upload = measured;
  return registerAgain(fields, request, { ...existing, sha256 }, services);
}

/** Checks the type again only if a field after the bytes contradicts what was known before. */
async function contentTypeOf(
  { filename, content_type }: UploadFields,
  { part, storedAs, head, contentType }: StoredStream & { part: FilePart; storedAs: string },
): Promise<string> {
  if (filename === storedAs && (content_type === undefined || content_type === part.contentType)) return contentType;
  return sniffContentType({ head, filename, claimed: content_type ?? part.contentType });
}

const noFile = () => badRequest('file is required: the body has no file part of this name');
