// Requirements of HTTP itself. Node would refuse these requests without a body; here they get the usual error body.
import { badRequest } from '@kiln/contracts';
import type { RequestHandler } from 'express';

const EXPECT = /^100-continue$/i;

export const readableRequest: RequestHandler = (request, _response, next) => {
  const { host, expect } = request.headers;
  // HTTP/1.0 has no Host.
  if (host === undefined && request.httpVersion === '1.1') throw badRequest('The Host header is required.');
  if (expect !== undefined && !EXPECT.test(expect)) throw badRequest('The Expect header must be 100-continue.');
  next();
};
