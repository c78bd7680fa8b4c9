// POST /v1/files: creates a file from its text, from the URL of its bytes, or with a signed URL for them.
import { filenameSchema, parseInput, sourceKey, uuidOf, type NewFileBody } from '@kiln/contracts';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { clientDisconnect } from '../http/client-disconnect.http.js';
import { expectedJobs } from '../quota/quota.service.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { assertMayWait } from './await-processing.handler.js';
import {
  assertSameBytes,
  discardBytes,
  earlierFile,
  inTime,
  registerAgain,
  registerFile,
  type StoredFile,
} from './register-file.service.js';
import { createUpload, type SignedUpload } from './signed-upload.handler.js';
import type { RemoteFile } from './remote-files.adapter.js';
import { checkClaimedSize, storeStream } from './store-stream.service.js';
import { assertReplaceable, newFileIds, type UploadFields } from './upload-fields.domain.js';

type CreateRequest = RouteRequest<object, { wait: number }, NewFileBody>;

/** Bytes that are about to be stored. */
interface Source {
  chunks: AsyncIterable<Buffer>;
  sizeBytes: number | undefined;
  /** The content type that the server of a URL has sent. */
  contentType: string | undefined;
  name: string;
}

const namedSchema = z.object({ filename: filenameSchema });

export async function createFile(
  request: CreateRequest,
  services: GatewayServices,
): Promise<SignedUpload | StoredFile> {
  assertMayWait(request.caller, request.query);
  const { body } = request;
  const { content, url } = body;
  assertReplaceable(body);
  if (content === undefined && url === undefined) return createUpload({ ...request, body: named(body, '') }, services);
  const existing = await earlierFile(request, services);
  if (existing?.sha256) {
    // A URL is not read again, so its bytes are not compared.
    if (content !== undefined) assertSameBytes(createHash('sha256').update(content).digest('hex'), existing);
    return registerAgain(named(body, existing.filename), request, { ...existing, sha256: existing.sha256 }, services);
  }
  return content === undefined ? storeUrl(request, url ?? '', services) : storeText(request, content, services);
}

function storeText(request: CreateRequest, content: string, services: GatewayServices): Promise<StoredFile> {
  const bytes = Buffer.from(content);
  const source = { chunks: only(bytes), sizeBytes: bytes.length, contentType: undefined, name: '' };
  return store(request, source, () => undefined, services);
}

async function storeUrl(request: CreateRequest, url: string, services: GatewayServices): Promise<StoredFile> {
  const { context, http } = request;
  const memory = services.uploadMemory.hold(context.tenantId, { headers: {} });
  let source: RemoteFile | undefined;
  try {
    source = await services.remoteFiles.open(url, clientDisconnect(http));
    const sizeBytesMax = source.sizeBytes ?? services.uploadBytesMax;
    return await store(request, source, () => memory.growFor(sizeBytesMax), services);
  } finally {
    source?.end();
    memory.release();
  }
}

/** `onLarge` takes the memory for a file that is not small. */
async function store(
  { body, caller, context, ids }: CreateRequest,
  source: Source,
  onLarge: () => void,
  services: GatewayServices,
): Promise<StoredFile> {
  const { uploadBytesMax, quota } = services;
  const fields = named(body, source.name);
  checkClaimedSize({ size_bytes: source.sizeBytes }, uploadBytesMax);
  const { file_id, job_id } = newFileIds(fields, ids);
  const known = { content_type: fields.content_type, size_bytes: source.sizeBytes };
  const reservation = await quota.admit(caller, expectedJobs(job_id, known), inTime(context));
  const key = sourceKey(context.tenantId, uuidOf('file', file_id));
  const undo = async () => {
    await reservation.release();
    await discardBytes(key, { context, ids }, services);
  };
  const claimedType = fields.content_type ?? source.contentType ?? '';
  const sizeBytesMax = source.sizeBytes ?? uploadBytesMax;
  const limits = { bytesMax: uploadBytesMax, sizeBytesMax, onLarge };
  const target = { store: services.store, key, ...limits, filename: fields.filename, claimedType };
  const { sizeBytes, contentType, sha256 } = await storeStream(source.chunks, target).catch(async (error: unknown) => {
    await undo();
    throw error;
  });
  const file = { ...fields, file_id, job_id, content_type: contentType, size_bytes: sizeBytes, sha256 };
  return registerFile(file, context, services, undo);
}

/** Throws BAD_REQUEST when the name of the source, the default, is no filename. */
function named({ content: _content, url: _url, ...fields }: NewFileBody, name: string): UploadFields {
  return { ...fields, filename: fields.filename ?? parseInput(namedSchema, { filename: name }).filename };
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
