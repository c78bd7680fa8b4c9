/** Sends a document to an extractor (./extractor-server.ts), and offers it again while none accepts it. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { request, type Dispatcher } from 'undici';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import type { ExtractionInput } from '@kiln/readers/extractor';
import { DOCUMENTS_PATH } from './extractor-server.js';
import type { Task } from './protocol.js';

export interface OfferOptions {
  /** Of the service in front of all extractors. */
  url: string;
  dispatcher: Dispatcher;
  /** Milliseconds for which the document is offered again. */
  patienceMs: number;
  signal: AbortSignal;
}

const firstDelayMs = 200;
const delayMsMax = 3_000;
const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const connectionLost = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** No extractor has begun to read the document. */
class NotAcceptedError extends Error {}

/** The answer of the extractor that has accepted the document. @throws ExtractionError `unavailable` when none does in time. */
export async function offerDocument(
  task: Task,
  input: ExtractionInput,
  options: OfferOptions,
): Promise<Dispatcher.ResponseData> {
  const lastAt = performance.now() + options.patienceMs;
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, delayMsMax)) {
    try {
      return await offerOnce(task, input, options);
    } catch (error) {
      if (!(error instanceof NotAcceptedError)) throw error;
      if (performance.now() + delayMs > lastAt) throw noExtractor(error);
    }
    await wait(delayMs, undefined, { signal: options.signal });
  }
}

async function offerOnce(
  task: Task,
  { path, filename, contentType, owner = '' }: ExtractionInput,
  { url: origin, dispatcher, signal }: OfferOptions,
): Promise<Dispatcher.ResponseData> {
  const { size } = await stat(path);
  const url = new URL(DOCUMENTS_PATH, origin);
  const asked = Object.entries(task).map(([name, value]) => [name, String(value)]);
  url.search = new URLSearchParams([
    ...asked,
    ['filename', filename],
    ['content_type', contentType],
    ['owner', owner],
  ]).toString();
  const body = createReadStream(path);
  const answer = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { 'content-length': String(size) },
    body,
    // Each document on a connection of its own, so that a balancer can choose another extractor.
    reset: true,
    signal,
  }).catch((error: unknown) => {
    // At the last byte: the end of the stream comes later than an answer may.
    throw wasNotAccepted(error, body.bytesRead >= size)
      ? new NotAcceptedError('no extractor has read it', { cause: error })
      : error;
  });
  if (answer.statusCode === 200) return answer;
  // The connection may end with the refusal.
  await answer.body.dump().catch(() => undefined);
  if (answer.statusCode === 503) throw new NotAcceptedError('the extractor has no room');
  throw new Error(`The extractor answered with status ${answer.statusCode}.`);
}

/** A connection that is lost later may have been lost because of the document. */
function wasNotAccepted(error: unknown, isSent: boolean): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const code = String(error.code);
  return unreachable.has(code) || (!isSent && connectionLost.has(code));
}

function noExtractor(cause: unknown): ExtractionError {
  return new ExtractionError('unavailable', 'No extractor accepts documents. Try again.', { cause });
}
