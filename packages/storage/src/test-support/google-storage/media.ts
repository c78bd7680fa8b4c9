// An object's bytes, for downloads of both APIs.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ApiError } from './api-error.js';
import type { GoogleObject, GoogleObjects } from './objects.js';

export async function answerMedia(
  objects: GoogleObjects,
  object: GoogleObject,
  request: IncomingMessage,
  response: ServerResponse,
  overrides: OutgoingHttpHeaders = {},
): Promise<void> {
  const { start, end } = rangeOf(request, object.size);
  const partial = request.headers.range !== undefined;
  response.writeHead(partial ? 206 : 200, {
    'content-type': object.contentType,
    'content-length': end - start + 1,
    'last-modified': object.updated.toUTCString(),
    'x-goog-generation': object.generation,
    ...(partial && { 'content-range': `bytes ${start}-${end}/${object.size}` }),
    ...overrides,
  });
  if (end < start) response.end();
  else await pipeline(objects.read(object, start, end), response);
}

function rangeOf({ headers }: IncomingMessage, size: number): { start: number; end: number } {
  if (headers.range === undefined) return { start: 0, end: size - 1 };
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range) ?? [];
  if (first === undefined || Number(first) >= size) throw new ApiError(416, 'The requested range cannot be satisfied.');
  return { start: Number(first), end: last ? Math.min(Number(last), size - 1) : size - 1 };
}
