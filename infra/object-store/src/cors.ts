// CORS, so that a page in a browser can use signed URLs. No cookies are involved, hence no credentials mode.
import type { IncomingMessage, ServerResponse } from 'node:http';

const EXPOSED = 'ETag, Content-Length, Content-Range, Last-Modified, x-amz-request-id';
const METHODS = 'GET, HEAD, PUT, POST, DELETE';
const MAX_AGE_SECONDS = 3600;

/** `*` among the origins allows every page; the signature is what protects the bytes. */
export function applyCors(request: IncomingMessage, response: ServerResponse, origins: readonly string[]): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return false;
  const any = origins.includes('*');
  if (!any) response.setHeader('Vary', 'Origin');
  if (!any && !origins.includes(origin)) return false;
  response.setHeader('Access-Control-Allow-Origin', any ? '*' : origin);
  response.setHeader('Access-Control-Expose-Headers', EXPOSED);
  return true;
}

/** Answers a browser's question before its real request; preflights carry no signature. */
export function answerPreflight(request: IncomingMessage, response: ServerResponse, origins: readonly string[]): void {
  const allowed = applyCors(request, response, origins);
  if (!allowed) {
    response.writeHead(403).end();
    return;
  }
  response.setHeader('Access-Control-Allow-Methods', METHODS);
  response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '*');
  response.setHeader('Access-Control-Max-Age', MAX_AGE_SECONDS);
  response.writeHead(204).end();
}
