// Converts a thrown value to an answer, in one place: `{error, code, requestId}` with the status of the code. Every error
// response has this body, also where there is no response object (server.http.ts).
import { asCodedError, CodedError, notFound } from '@kiln/contracts';
import type { Logger } from '@kiln/platform';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { ServerResponse } from 'node:http';
import { stateOf } from './request-state.http.js';
import { sendJson } from './send-json.http.js';
import type { RedactedPath } from './redacted-path.http.js';

const RETRY_AFTER_DEFAULT_SECONDS = 1;
const PATH_CHARACTERS_SHOWN_MAX = 200;

export const errorBody = ({ message, publicCode: code }: CodedError, requestId: string) => ({
  error: message,
  code,
  requestId,
});

function sendError(response: ServerResponse, error: CodedError, requestId: string): void {
  const retryAfterSeconds = error.retryAfterSeconds ?? (error.retryable ? RETRY_AFTER_DEFAULT_SECONDS : undefined);
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', retryAfterSeconds);
  sendJson(response, error.status, errorBody(error, requestId));
}

export function errorHandler(logger: Logger): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  return (thrown: unknown, request, response, _next) => {
    const { requestId, route } = stateOf(request);
    const error = codedErrorOf(thrown);
    if (error.status >= 500) logger.error({ err: error, requestId, route: route?.name }, 'Request failed');
    // Part of the response is already sent. Closing the connection is the only way to report that the rest is missing.
    if (response.headersSent) response.destroy();
    else if (!request.socket.destroyed) sendError(response, error, requestId);
  };
}

export function codedErrorOf(thrown: unknown): CodedError {
  // A path with invalid percent-encoding cannot match a resource.
  if (thrown instanceof URIError) return notFound();
  return asCodedError(thrown);
}

/** The response to a known path with another method. */
export function methodNotAllowed(allowed: readonly string[]): RequestHandler {
  const list = allowed.join(', ');
  return (request, response) => {
    response.set('Allow', list);
    throw new CodedError('METHOD_NOT_ALLOWED', `${request.method} is not possible here. Use ${list}.`);
  };
}

export function unknownPath(shown: RedactedPath): RequestHandler {
  return (request) => {
    const path = shown(request.originalUrl).slice(0, PATH_CHARACTERS_SHOWN_MAX);
    throw notFound(`There is nothing at ${path}. GET /openapi.json lists what there is.`);
  };
}
