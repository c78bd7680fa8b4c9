// Conditional requests (RFC 9110, section 13): a caller that has the current representation gets 304, and the content is not read.
import type { Request } from 'express';
import { createHash } from 'node:crypto';
import { Reply } from '../routes/reply.domain.js';

/** A signed URL in a response changes although the content does not, so the validator is weak. */
const tagOf = (validator: string) => `W/"${createHash('sha256').update(validator).digest('base64url').slice(0, 22)}"`;

/** A browser that kept the response would send its ETag, get 304 and show a signed URL that has expired. */
const NOT_KEPT = 'no-store';

/** `validator` changes with the content. `read` returns the JSON of the response, or its other body. */
export async function conditional<Body>(
  http: Request,
  validator: string,
  read: () => Promise<Body>,
  cacheControl = NOT_KEPT,
): Promise<Reply | Body> {
  const headers = { ETag: tagOf(validator), 'Cache-Control': cacheControl };
  // Express compares the headers of the request with the ETag of the response.
  http.res?.set('ETag', headers.ETag);
  if (http.fresh) return new Reply({ status: 304, headers });
  // A caller would keep an error that has the validator, and show it for the next 304.
  http.res?.removeHeader('ETag');
  const body = await read();
  http.res?.set(headers);
  return body;
}
