// Sends one request and reads its response. Each failure becomes an error of the SDK.
import { apiError, KilnConnectionError, KilnError } from './errors.js';
import { retryAfterSecondsOf } from './retry.js';

export interface Sent {
  /** For messages. It contains no address, because an address can contain a secret. */
  what: string;
  fetch: typeof fetch;
  url: string;
  init: RequestInit;
  redact: (text: string) => string;
}

/** Returns the response with a status of success, its body unread. Throws a coded error for all others. */
export async function fetchResponse({ what, fetch, url, init, redact }: Sent): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (cause) {
    throw new KilnConnectionError(what, withoutUrl(cause, url));
  }
  if (response.ok) return response;
  const text = await readText(what, response);
  const { error, code, requestId } = fieldsOf(text);
  throw apiError({
    status: response.status,
    code: code ?? 'UNKNOWN',
    message: redact(error ?? `${what} was answered with status ${response.status}.`),
    requestId: requestId ?? response.headers.get('x-request-id'),
    retryAfterSeconds: retryAfterSecondsOf(response.headers.get('retry-after')),
  });
}

export async function readJson<Value>(what: string, response: Response): Promise<Value> {
  const text = await readText(what, response);
  try {
    return JSON.parse(text) as Value;
  } catch (cause) {
    const requestId = response.headers.get('x-request-id');
    throw new KilnError('INVALID_RESPONSE', `${what}: the response is not JSON.`, {
      retryable: false,
      requestId,
      cause,
    });
  }
}

export async function readText(what: string, response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw new KilnConnectionError(what, cause);
  }
}

export async function readBlob(what: string, response: Response): Promise<Blob> {
  try {
    return await response.blob();
  } catch (cause) {
    throw new KilnConnectionError(what, cause);
  }
}

/** Deno and Bun name the address in the message, and an address can contain a secret. */
function withoutUrl(cause: unknown, url: string): unknown {
  if (!(cause instanceof Error) || !cause.message.includes(url)) return cause;
  return new TypeError(cause.message.replaceAll(url, '[address]'));
}

/** Undefined fields for a body that does not come from Kiln. */
function fieldsOf(text: string): { error?: string; code?: string; requestId?: string } {
  try {
    const body = JSON.parse(text) as Record<string, unknown> | null;
    const read = (name: string) => (typeof body?.[name] === 'string' ? { [name]: body[name] } : {});
    return { ...read('error'), ...read('code'), ...read('requestId') };
  } catch {
    return {};
  }
}
