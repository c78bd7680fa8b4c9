// The steps of each request before routing, in one Express middleware instead of many.
import { inLogContext } from '@kiln/platform';
import type { RequestHandler } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { stateOf } from './request-state.http.js';

export type RequestStep = (request: IncomingMessage, response: ServerResponse) => void;

export function requestSteps(...steps: readonly RequestStep[]): RequestHandler {
  return (request, response, next) => {
    for (const step of steps) step(request, response);
    const state = stateOf(request);
    inLogContext(() => state, next);
  };
}
