// One POST to an API of Google that issues tokens. Its errors contain Google's reason, and neither the request nor a token.
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { once } from 'node:events';
import { agentFor, type HttpAgents } from '../http-agents.js';
import { StorageError } from '../storage.errors.js';

interface GooglePost {
  agents: HttpAgents;
  signal: AbortSignal;
  action: string;
  contentType: string;
  body: string;
  token?: string;
  /** Removed from the text of errors. */
  secrets: readonly string[];
}

const RESPONSE_BYTES_MAX = 64 * 1024;

export async function postToGoogle(url: string, post: GooglePost): Promise<Record<string, unknown>> {
  const { action } = post;
  const { status, text } = await send(new URL(url), post).catch((error: unknown) => {
    if (error instanceof StorageError) throw error;
    throw new StorageError('unavailable', `${action}: no response`, { cause: error, retryable: true });
  });
  const answer = objectOf(text);
  if (status >= 200 && status < 300) return answer;
  let reason = reasonOf(answer) ?? `status ${status}`;
  for (const secret of post.secrets) reason = reason.replaceAll(secret, '[redacted]');
  // The exchange of tokens refuses with 400, as OAuth 2.0 says. A service account that does not exist is 404.
  const isTemporary = status === 408 || status === 429 || status >= 500;
  throw new StorageError(isTemporary ? 'unavailable' : 'access_denied', `${action}: ${reason}`, {
    retryable: isTemporary,
  });
}

async function send(
  url: URL,
  { agents, signal, contentType, body, token }: GooglePost,
): Promise<{ status: number; text: string }> {
  const { protocol } = url;
  const request = (protocol === 'http:' ? requestHttp : requestHttps)(url, {
    method: 'POST',
    agent: agentFor(agents, { protocol }),
    signal,
    headers: {
      accept: 'application/json',
      'content-type': contentType,
      'content-length': Buffer.byteLength(body),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  });
  const [response] = (await once(request.end(body), 'response')) as [IncomingMessage];
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    sizeBytes += piece.length;
    if (sizeBytes > RESPONSE_BYTES_MAX) throw new Error('the response is too long');
    pieces.push(piece);
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() };
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** The exchange answers as OAuth 2.0 says, the other APIs in Google's own form. */
function reasonOf({ error, error_description }: Record<string, unknown>): string | undefined {
  if (typeof error_description === 'string') return error_description;
  if (typeof error === 'string') return error;
  const message: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'message') : undefined;
  return typeof message === 'string' ? message : undefined;
}
