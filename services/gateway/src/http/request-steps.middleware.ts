// The steps of each request before routing, in one Express middleware instead of many.
import type { RequestHandler } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';

export type RequestStep = (request: IncomingMessage, response: ServerResponse) => void;

export function requestSteps(...steps: readonly RequestStep[]): RequestHandler {
  return (request, response, next) => {
    for (const step of steps) step(request, response);
    next();
  };
}
