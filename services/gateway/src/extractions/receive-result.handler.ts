// POST /v1/extractions/:token receives the result of an organization's own extractor. Its bytes go to the object store as they
// arrive. The job learns of them only when their signature is right.
import { badRequest, CodedError, encodeId, jobsOperations } from '@kiln/contracts';
import { beginSignature, isSigned } from '@kiln/platform';
import type { Hmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { arrivingBody } from '../http/arriving-body.http.js';
import type { UploadHold } from '../limits/upload-memory.service.js';
import type { PublicRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { storeStream } from '../upload/store-stream.service.js';
import type { CallbackPlace } from './extraction-callbacks.service.js';

/** The tolerance of Standard Webhooks 1.0: an older or later request may be a replay. */
const TOLERANCE_SECONDS = 300;
const ARRIVAL_TIMEOUT_MS = 120_000;

const unauthorized = (message: string) => new CodedError('UNAUTHORIZED', message);

type ResultRequest = PublicRequest<{ token: string }, object>;

export async function receiveExtractionResult(request: ResultRequest, services: GatewayServices) {
  const opened = services.callbacks.open(request.params.token);
  if (!opened) throw new CodedError('FORBIDDEN', 'The URL is not one that Kiln has signed.');
  // A holder of the URL can send any number of bodies at once, and a signature can only be checked at the end of its body.
  const memory = services.uploadMemory.hold(opened.tenantId, request.http);
  try {
    return await receive(request, opened, { memory, services });
  } finally {
    memory.release();
  }
}

async function receive(
  { contextFor, http }: ResultRequest,
  opened: CallbackPlace,
  { memory, services }: { memory: UploadHold; services: GatewayServices },
) {
  const { rpc, store, callbacks, logger } = services;
  const { tenantId } = opened;
  const place = { job_id: encodeId('job', opened.jobId), extraction_id: encodeId('extraction', opened.extractionId) };
  const { timestamp, signatures } = signedHeaders(http, place.extraction_id);
  if (!http.headers['content-type']?.startsWith('application/json'))
    throw badRequest('Content-Type must be application/json.');
  if (http.headers['content-encoding'] !== undefined) throw badRequest('The body must not be encoded.');
  const wanted = await rpc.call(jobsOperations.getExtraction, place, contextFor(tenantId));
  const key = callbacks.keyOf(tenantId, wanted.provider, wanted.sealed_secret);
  const hmac = beginSignature(key, place.extraction_id, timestamp);
  const { result_key } = wanted;
  const bytesMax = wanted.result_bytes_max;
  const sizeBytesMax = Math.min(bytesMax, Number(http.headers['content-length'] ?? bytesMax));
  const onLarge = () => memory.growFor(sizeBytesMax);
  const target = { store, key: result_key, bytesMax, sizeBytesMax, onLarge, ...AS_JSON };
  await storeStream(signedPieces(http, hmac, memory), target);
  const discard = () =>
    store.delete(result_key).catch((error: unknown) => logger.warn({ err: error }, 'Discarding a result failed'));
  if (!isSigned(signatures, hmac.digest())) {
    await discard();
    throw unauthorized('webhook-signature does not fit the body, the id and the timestamp.');
  }
  try {
    const { accepted } = await rpc.call(
      jobsOperations.acceptExtraction,
      { ...place, result_key },
      contextFor(tenantId),
    );
    if (!accepted) await discard();
    return { accepted };
  } catch (error) {
    // Without an answer the result may have been accepted, so its bytes stay until the file is deleted.
    if (error instanceof CodedError && error.code === 'NOT_FOUND') await discard();
    throw error;
  }
}

const AS_JSON = { filename: 'result.json', claimedType: 'application/json' };

function signedHeaders({ headers }: IncomingMessage, id: string): { timestamp: number; signatures: string } {
  const [timestamp, signatures] = [headers['webhook-timestamp'], headers['webhook-signature']];
  if (headers['webhook-id'] !== id) throw unauthorized(`webhook-id must be the id of the request: ${id}.`);
  if (typeof signatures !== 'string') throw unauthorized('The request needs the header webhook-signature.');
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp))
    throw unauthorized('webhook-timestamp must be a number of seconds.');
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS)
    throw unauthorized(`webhook-timestamp is more than ${TOLERANCE_SECONDS} seconds from now.`);
  return { timestamp: Number(timestamp), signatures };
}

async function* signedPieces(http: IncomingMessage, hmac: Hmac, memory: UploadHold): AsyncGenerator<Buffer> {
  const limits = { timeoutMs: ARRIVAL_TIMEOUT_MS, heldBytes: () => memory.heldBytes };
  for await (const piece of arrivingBody(http, limits) as AsyncIterable<Buffer>) {
    hmac.update(piece);
    yield piece;
  }
}
