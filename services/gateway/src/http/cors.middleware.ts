// Lets pages of the configured origins call the API. Credentials travel in the Authorization header, never in cookies, so
// no origin is ever allowed "with credentials".
import type { RequestHandler } from 'express';

const EXPOSED =
  'X-Request-Id, ETag, Link, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Idempotency-Replayed, ' +
  'WWW-Authenticate';
const METHODS = 'GET, POST, PATCH, PUT, DELETE';
const REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-Id, ' +
  // Of the Model Context Protocol.
  'Mcp-Protocol-Version, Mcp-Method, Mcp-Name';
const PREFLIGHT_SECONDS = '600';

export function cors(origins: readonly string[]): RequestHandler {
  return (request, response, next) => {
    response.vary('Origin');
    const { origin } = request.headers;
    if (origin === undefined || !(origins.includes('*') || origins.includes(origin))) return next();
    response.set({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': EXPOSED,
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    const preflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (!preflight) return next();
    response.set({
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Allow-Headers': REQUEST_HEADERS,
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    });
    response.status(204).end();
  };
}
