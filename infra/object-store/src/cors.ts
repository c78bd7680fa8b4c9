// CORS headers, so that pages in browsers can use signed URLs. There are no cookies, so there is no credentials mode.
import type { IncomingMessage, ServerResponse } from 'node:http';

const EXPOSED = 'ETag, Content-Length, Content-Range, Last-Modified, x-amz-request-id';
const METHODS = 'GET, HEAD, PUT, POST, DELETE';
const AGE_SECONDS_MAX = 3600;

/** The origin `*` allows every page: access is protected by the signature. */
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

/** Answers preflight requests, which are not signed. */
export function answerPreflight(request: IncomingMessage, response: ServerResponse, origins: readonly string[]): void {
  const allowed = applyCors(request, response, origins);
  if (!allowed) {
    response.writeHead(403).end();
    return;
  }
  response.setHeader('Access-Control-Allow-Methods', METHODS);
  response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '*');
  response.setHeader('Access-Control-Max-Age', AGE_SECONDS_MAX);
  response.writeHead(204).end();
}
