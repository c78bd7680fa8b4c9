// Sends a plain GET to a signed URL of a bucket, as the users of the URL do, through the guarded agents.
import type { NodeAgents } from '@kiln/outbound';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BucketError } from './domain/bucket-error.js';
import type { UrlAnswer } from './external-bucket.port.js';

/** Errors of stores are short. */
const TEXT_BYTES_MAX = 4_096;

/** Requests one byte. Redirects are not followed. Throws the error of the connection, and BucketError without a response in time. */
export async function answerOf(url: string, agents: NodeAgents, timeoutMs: number): Promise<UrlAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await responseOf(url, agents, signal);
    return { status: response.statusCode ?? 0, text: await beginningOf(response) };
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new BucketError('timeout', 'The provider did not answer in time.', { cause: error, retryable: true });
  }
}

function responseOf(url: string, agents: NodeAgents, signal: AbortSignal): Promise<IncomingMessage> {
  const isHttps = url.startsWith('https:');
  const send = isHttps ? httpsRequest : httpRequest;
  const options = { agent: isHttps ? agents.https : agents.http, headers: { range: 'bytes=0-0' }, signal };
  return new Promise((resolve, reject) => {
    send(url, options, resolve).on('error', reject).end();
  });
}

async function beginningOf(response: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= TEXT_BYTES_MAX) break;
  }
  return Buffer.concat(pieces).toString();
}
