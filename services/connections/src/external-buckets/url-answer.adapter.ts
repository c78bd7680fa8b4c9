// Sends a plain GET to a signed URL of a bucket, as the users of the URL do, through the guarded agents.
import type { NodeAgents } from '@kiln/outbound';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { UrlAnswer } from './external-bucket.port.js';

/** Errors of stores are short. */
const TEXT_BYTES_MAX = 4_096;

/** Requests one byte. Redirects are not followed. Throws the error of the connection. */
export async function answerOf(url: string, agents: NodeAgents, timeoutMs: number): Promise<UrlAnswer> {
  const isHttps = url.startsWith('https:');
  const send = isHttps ? httpsRequest : httpRequest;
  const options = {
    agent: isHttps ? agents.https : agents.http,
    headers: { range: 'bytes=0-0' },
    signal: AbortSignal.timeout(timeoutMs),
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    send(url, options, resolve).on('error', reject).end();
  });
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= TEXT_BYTES_MAX) break;
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() };
}
