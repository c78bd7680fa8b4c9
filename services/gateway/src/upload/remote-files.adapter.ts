// Downloads files from URLs that callers name. Each address is checked when a connection is opened, also after a redirect. The messages do not
// have the URL, whose query may be a signature.
import { badRequest, CodedError } from '@kiln/contracts';
import { connectionFailureOf, createGuardedAgent, OutboundPolicy, OutboundRefusedError } from '@kiln/outbound';
import { request, type Dispatcher } from 'undici';
import type { GatewayConfig } from '../config.js';
import { decoded, decoderOf } from './decode-chunks.service.js';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const REDIRECTS_MAX = 5;
/** When a caller should try again after a failure of the server. */
const RETRY_AFTER_SECONDS = 5;
const CONNECT_TIMEOUT_MS = 10_000;
/** A connection serves one download. */
const KEEP_ALIVE_MS = 1;
const HEADERS = { 'user-agent': 'Kiln', accept: '*/*', 'accept-encoding': 'identity' };

export interface RemoteFile {
  /** Ends early with a coded error. */
  chunks: AsyncIterable<Buffer>;
  /** Closes the connection. The caller must call it, also if it has read nothing. */
  end: () => void;
  /** The Content-Length, unless the bytes are encoded. */
  sizeBytes: number | undefined;
  contentType: string | undefined;
  /** The last part of the path of the last URL. */
  name: string;
}

export interface RemoteFilesParts {
  policy: OutboundPolicy;
  dispatcher: Dispatcher;
  /** The time for the whole download. */
  deadlineMs: number;
}

export function openRemoteFiles(config: GatewayConfig): RemoteFiles {
  const policy = new OutboundPolicy({ allow: config.KILN_OUTBOUND_ALLOW });
  const connections = { connectTimeoutMs: CONNECT_TIMEOUT_MS, keepAliveMs: KEEP_ALIVE_MS };
  const dispatcher = createGuardedAgent({ policy, ...connections, proxyUrl: config.KILN_OUTBOUND_PROXY });
  return new RemoteFiles({ policy, dispatcher, deadlineMs: config.KILN_URL_DOWNLOAD_SECONDS * 1_000 });
}

export class RemoteFiles {
  constructor(private readonly parts: RemoteFilesParts) {}

  /** Throws BAD_REQUEST for a URL that must not be read or has no file, SOURCE_UNAVAILABLE when its server fails, and the reason of `left`. */
  async open(url: string, left: AbortSignal): Promise<RemoteFile> {
    const late = AbortSignal.timeout(this.parts.deadlineMs);
    const signal = AbortSignal.any([left, late]);
    try {
      const { response, place } = await this.follow(new URL(url), signal);
      const chunks = checked(response.body, (error) => this.failureOf(error, { left, late }));
      const decoder = decoderOf(textOf(response.headers['content-encoding']));
      return {
        chunks: decoder ? decoded(chunks, decoder) : chunks,
        end: () => void response.body.destroy(),
        sizeBytes: decoder ? undefined : lengthOf(response),
        contentType: textOf(response.headers['content-type']),
        name: nameOf(place),
      };
    } catch (error) {
      throw this.failureOf(error, { left, late });
    }
  }

  private async follow(first: URL, signal: AbortSignal): Promise<{ response: Dispatcher.ResponseData; place: URL }> {
    const { policy, dispatcher } = this.parts;
    let place = first;
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      await policy.assertUrl(place);
      const response = await request(place, { dispatcher, signal, headers: HEADERS });
      // A body that is destroyed, or whose download is aborted before it is read, emits an error.
      response.body.on('error', () => undefined);
      const location = textOf(response.headers.location);
      if (!REDIRECTS.has(response.statusCode) || location === undefined) {
        assertSuccess(response);
        return { response, place };
      }
      response.body.destroy();
      if (!URL.canParse(location, place)) throw badRequest('url: The server redirects to an address that is no URL.');
      place = new URL(location, place);
    }
    throw badRequest(`url: The server redirects more than ${REDIRECTS_MAX} times.`);
  }

  private failureOf(error: unknown, { left, late }: Record<'left' | 'late', AbortSignal>): unknown {
    if (error instanceof CodedError) return error;
    if (left.aborted) return left.reason;
    if (late.aborted) return failed(`The download took longer than ${this.parts.deadlineMs / 1_000} s.`);
    if (error instanceof OutboundRefusedError) return badRequest(`url ${error.message}`);
    const failure = connectionFailureOf(error);
    if (!failure) return error;
    return failure.retryable ? failed(failure.message) : badRequest(`url: ${failure.message}`);
  }
}

const failed = (message: string) =>
  new CodedError('SOURCE_UNAVAILABLE', `url: ${message}`, { retryAfterSeconds: RETRY_AFTER_SECONDS });

const textOf = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header);

/** Destroys the body of a response that is no success. */
function assertSuccess({ statusCode, body }: Dispatcher.ResponseData): void {
  if (statusCode >= 200 && statusCode < 300) return;
  body.destroy();
  const message = `The server answered ${statusCode}.`;
  throw statusCode >= 500 || statusCode === 429 ? failed(message) : badRequest(`url: ${message}`);
}

function lengthOf({ headers }: Dispatcher.ResponseData): number | undefined {
  const length = textOf(headers['content-length']);
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

function nameOf({ pathname }: URL): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

async function* checked(
  body: Dispatcher.ResponseData['body'],
  failureOf: (error: unknown) => unknown,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body) yield chunk as Buffer;
  } catch (error) {
    throw failureOf(error);
  }
}
