// Sends bytes to a signed URL. A store replaces the object as a whole, so a repeat has no second effect.
import { runAttempts } from '../core/attempts.js';
import { apiError, KilnApiError, KilnConnectionError } from '../core/errors.js';
import type { Schemas } from '../core/operation-types.js';
import { canSendLength } from '../core/runtime.js';
import { fetchResponse } from '../core/response.js';
import type { Transport } from '../core/transport.js';
import { countedStream } from './counted-stream.js';
import type { Bytes, RepeatableSource } from './source.js';
import { sendingLimits, type UploadOptions, type UploadProgress } from './upload-options.js';

type Target = Pick<Schemas['SignedUpload'], 'upload_url' | 'upload_headers'>;

const WHAT = 'Sending the bytes of the file';

interface Sending {
  transport: Transport;
  target: Target;
  body: Bytes;
  sizeBytes: number;
  signal: AbortSignal;
  onProgress: ((progress: UploadProgress) => void) | undefined;
}

export function putBytes(
  transport: Transport,
  target: Target,
  source: RepeatableSource,
  options: UploadOptions,
): Promise<void> {
  const { sizeBytes } = source;
  const limits = transport.limitsOf(sendingLimits(options, sizeBytes));
  return runAttempts({ what: WHAT, limits, isRepeatable: true }, async (signal) => {
    const body = await source.open();
    const sending = { transport, target, body, sizeBytes, signal, onProgress: options.onProgress };
    if (options.onProgress && body instanceof Blob && typeof XMLHttpRequest !== 'undefined') return putByPage(sending);
    return putByFetch(sending);
  });
}

async function putByFetch({ transport, target, body, sizeBytes, signal, onProgress }: Sending): Promise<void> {
  const isWhole = body instanceof Blob && !(onProgress && canSendLength());
  const init = {
    method: 'PUT',
    // A store does not accept a body of unknown length.
    headers: { ...target.upload_headers, ...(!isWhole && { 'content-length': String(sizeBytes) }) },
    body: isWhole ? body : countedStream(streamOf(body), sizeBytes, onProgress),
    signal,
    ...(!isWhole && { duplex: 'half' }),
  };
  const { fetch } = transport;
  const response = await fetchResponse({
    what: WHAT,
    fetch,
    url: target.upload_url,
    init,
    redact: () => REFUSED,
  }).catch((error: unknown) => Promise.reject(error instanceof KilnApiError ? refusal(error) : error));
  await response.body?.cancel();
  if (isWhole) onProgress?.({ sentBytes: sizeBytes, totalBytes: sizeBytes });
}

const streamOf = (body: Bytes) => (body instanceof Blob ? body.stream() : body);

const REFUSED = 'The object store refused the bytes.';
type Refused = Pick<KilnApiError, 'status' | 'requestId' | 'retryAfterSeconds'>;

const refusal = ({ status, requestId, retryAfterSeconds }: Refused) =>
  apiError({ status, code: 'UPLOAD_REFUSED', message: `${REFUSED} Status: ${status}.`, requestId, retryAfterSeconds });

/** In a page only XMLHttpRequest reports how much was sent. */
function putByPage({ target, body, signal, onProgress }: Sending): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal.addEventListener('abort', abort, { once: true });
    request.open('PUT', target.upload_url);
    for (const [name, value] of Object.entries(target.upload_headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress?.({ sentBytes: loaded, totalBytes: total }),
    );
    request.addEventListener('loadend', () => {
      signal.removeEventListener('abort', abort);
      const { status } = request;
      if (status >= 200 && status < 300) resolve();
      else if (status === 0) reject(new KilnConnectionError(WHAT, new Error('The connection failed.')));
      else reject(refusal({ status, requestId: null, retryAfterSeconds: null }));
    });
    request.send(body as Blob);
  });
}
