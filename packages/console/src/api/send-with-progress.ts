// Uploads a large body through the gateway, and reports its progress, which `fetch` does not.
import { watchedFetch } from './connectivity.js';

type OnSent = (sentBytes: number, totalBytes: number) => void;

/** A `fetch` for the SDK. Requests without a blob pass through. */
export const sendWithProgress =
  (onSent: OnSent): typeof fetch =>
  async (input, init) => {
    if (!(init?.body instanceof Blob)) return watchedFetch(input, init);
    init.signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.responseType = 'blob';
    request.open(init.method ?? 'POST', input instanceof Request ? input.url : input);
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(loaded, total));
    return sent(request, init.body, init.signal ?? null);
  };

function sent(request: XMLHttpRequest, body: Blob, signal: AbortSignal | null): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = () => request.abort();
    signal?.addEventListener('abort', abort, { once: true });
    request.addEventListener('loadend', () => {
      signal?.removeEventListener('abort', abort);
      const { status } = request;
      if (signal?.aborted) reject(signal.reason as Error);
      else if (status === 0) reject(new TypeError('The connection failed.'));
      else resolve(new Response(request.response as Blob, { status, headers: headersOf(request) }));
    });
    request.send(body);
  });
}

const headersOf = (request: XMLHttpRequest): Headers =>
  new Headers(
    request
      .getAllResponseHeaders()
      .split('\r\n')
      .filter(Boolean)
      .map((line) => line.split(/:\s*(.*)/s, 2) as [string, string]),
  );
