/**
 * One POST to a provider, with one deadline from the DNS look-up to the last byte of the response. Bodies are streamed,
 * redirects are not followed (a key must not travel on), answers are read up to a limit, and whatever goes wrong comes as a
 * ProviderError.
 */
import { Readable } from 'node:stream';
import { Agent, ProxyAgent, request, type Dispatcher } from 'undici';
import { answerFault, connectionFault } from './exchange-faults.js';
import { urlOf, type ProviderEndpoint } from './provider-endpoint.js';
import { ProviderError } from './provider-error.js';
import { answerIn, startRequestSpan } from './request-span.js';

export interface ProviderRequest {
  /** Appended to the endpoint's base URL. */
  path: string;
  /** Without credentials. */
  headers: Record<string, string>;
  body: string | RequestStream;
  /** Milliseconds for the whole exchange. */
  deadlineMs: number;
  /** The largest response. */
  responseBytesMax: number;
  /** How the key is sent: `Authorization: Bearer`, or alone in the header named. Default `bearer`. */
  keyHeader?: KeyHeader;
  /** Called with the status of a 2xx answer, before its body is read. */
  onStatus?: (statusCode: number) => void;
}

export type KeyHeader = 'bearer' | 'x-api-key' | 'unstructured-api-key';

export interface RequestStream {
  chunks: AsyncIterable<Uint8Array>;
  sizeBytes: number;
}

export interface ProviderHttpOptions {
  /** An egress proxy, `http://host:port`. */
  proxyUrl?: string | undefined;
  /** Makes the connections in place of an own agent. The caller closes it. */
  dispatcher?: Dispatcher;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Many servers close idle connections after 5 s. A connection must not be used at the moment it is closed. */
const KEEP_ALIVE_MS = 4_000;
const EXCERPT_BYTES_MAX = 8_192;

function newAgent(proxyUrl: string | undefined): Dispatcher {
  // The caller's deadline covers all of an exchange.
  const shared = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  return proxyUrl
    ? new ProxyAgent({ ...shared, uri: proxyUrl, connectTimeout: CONNECT_TIMEOUT_MS })
    : new Agent({ ...shared, connect: { timeout: CONNECT_TIMEOUT_MS } });
}

export class ProviderHttp {
  private readonly dispatcher: Dispatcher;
  private readonly isOwn: boolean;

  constructor({ proxyUrl, dispatcher }: ProviderHttpOptions = {}) {
    this.isOwn = dispatcher === undefined;
    this.dispatcher = dispatcher ?? newAgent(proxyUrl);
  }

  /** The answer as JSON. Throws ProviderError, or the signal's reason when it was aborted. */
  async postForJson(endpoint: ProviderEndpoint, asked: ProviderRequest, signal: AbortSignal): Promise<unknown> {
    const pieces = await Array.fromAsync(this.post(endpoint, asked, signal));
    try {
      return JSON.parse(Buffer.concat(pieces).toString('utf8')) as unknown;
    } catch (error) {
      throw new ProviderError('malformed', endpoint, { cause: error });
    }
  }

  /** The body of a 2xx answer as it comes; the same errors. Ending the iteration early closes the connection. */
  post(endpoint: ProviderEndpoint, asked: ProviderRequest, signal: AbortSignal): AsyncGenerator<Buffer> {
    const span = startRequestSpan(endpoint);
    const answer = this.exchange(endpoint, asked, signal);
    return span ? answerIn(span, answer) : answer;
  }

  private async *exchange(
    endpoint: ProviderEndpoint,
    asked: ProviderRequest,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    signal.throwIfAborted();
    const stop = new AbortController();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      stop.abort(new Error('the deadline has passed'));
    }, asked.deadlineMs);
    const onAbort = () => stop.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const answer = await this.send(endpoint, asked, stop.signal);
      asked.onStatus?.(answer.statusCode);
      yield* readUpTo(answer.body, asked.responseBytesMax, endpoint);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (isLate) throw new ProviderError('timeout', endpoint, { cause: error });
      throw error instanceof ProviderError ? error : connectionFault(endpoint, error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      stop.abort(new Error('the request has ended'));
    }
  }

  async close(): Promise<void> {
    if (this.isOwn) await this.dispatcher.destroy();
  }

  private async send(endpoint: ProviderEndpoint, asked: ProviderRequest, signal: AbortSignal) {
    const { body } = asked;
    const answer = await request(urlOf(endpoint, asked.path), {
      dispatcher: this.dispatcher,
      method: 'POST',
      headers: {
        accept: 'application/json',
        ...asked.headers,
        ...credentials(endpoint, asked.keyHeader ?? 'bearer'),
        ...(typeof body === 'string' ? {} : { 'content-length': String(body.sizeBytes) }),
      },
      body: typeof body === 'string' ? body : Readable.from(body.chunks, { objectMode: false }),
      signal,
    });
    if (answer.statusCode >= 200 && answer.statusCode < 300) return answer;
    const text = await excerptOf(answer.body);
    throw answerFault(endpoint, { statusCode: answer.statusCode, headers: answer.headers, text });
  }
}

function credentials({ key }: ProviderEndpoint, header: KeyHeader): Record<string, string> {
  if (key === null || key === '') return {};
  return header === 'bearer' ? { authorization: `Bearer ${key}` } : { [header]: key };
}

async function* readUpTo(
  body: AsyncIterable<Buffer>,
  bytesMax: number,
  endpoint: ProviderEndpoint,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > bytesMax) throw new ProviderError('oversized', endpoint);
    yield piece;
  }
}

/** The beginning of what is said about a refusal; a body that breaks off has said enough. */
async function excerptOf(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= EXCERPT_BYTES_MAX) break;
    }
  } catch {
    // The status is known, and the body is not needed.
  }
  return Buffer.concat(pieces).subarray(0, EXCERPT_BYTES_MAX).toString('utf8');
}
