// Sends errors as S3 XML, without internal details. The connection stays open unless too much of the body is unread.
import type { S3Request } from './request.js';
import { S3Error } from './s3-errors.js';
import { xmlDocument } from './xml.js';

/** How long the rest of a refused body is read, so that the client can read the response. */
const DRAIN_MS = 5_000;

export const toS3Error = (error: unknown): S3Error => (error instanceof S3Error ? error : new S3Error('InternalError'));

type Answerable = Pick<S3Request, 'id' | 'path' | 'raw' | 'response'>;

export function errorDocument(request: Answerable, error: unknown): string {
  const { code, message } = toS3Error(error);
  return xmlDocument('Error', {
    Code: code,
    Message: code === 'InternalError' ? 'The store failed. Try again.' : message,
    Resource: Buffer.from(request.path, 'latin1').toString('utf8'),
    RequestId: request.id,
  });
}

export function answerError(request: Answerable, error: unknown): void {
  const { raw, response } = request;
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, headers } = toS3Error(error);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const bodyless = raw.method === 'HEAD' || status === 304;
  const body = bodyless ? '' : errorDocument(request, error);
  if (!bodyless) {
    response.setHeader('Content-Type', 'application/xml');
    response.setHeader('Content-Length', Buffer.byteLength(body));
  }
  if (!raw.complete) {
    response.setHeader('Connection', 'close');
    const timer = setTimeout(() => raw.destroy(), DRAIN_MS);
    raw.once('close', () => clearTimeout(timer));
    raw.on('error', () => undefined);
    raw.resume();
  }
  response.writeHead(status);
  response.end(body);
}
