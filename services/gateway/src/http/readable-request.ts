// What HTTP itself asks of a request. Node would refuse these without a body; here they get the error of every other refusal.
import { badRequest } from '@kiln/contracts';
import type { RequestHandler } from 'express';

const EXPECT = /^100-continue$/i;

export const readableRequest: RequestHandler = (request, _response, next) => {
  const { host, expect } = request.headers;
  // HTTP/1.0 knows no Host.
  if (host === undefined && request.httpVersion === '1.1') throw badRequest('Host: this header is needed.');
  if (expect !== undefined && !EXPECT.test(expect)) throw badRequest('Expect: only 100-continue is possible.');
  next();
};
