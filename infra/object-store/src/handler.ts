// Handles one request: health and preflight first, then signature, route, operation, and errors as S3 XML.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { authenticate } from './auth/authenticate.js';
import type { Credentials } from './auth/signature.js';
import { answerPreflight, applyCors } from './cors.js';
import { answerError, toS3Error } from './error-answer.js';
import type { StoreServices } from './operation.js';
import { parseRequest } from './request.js';
import { resolveRoute } from './router.js';

export interface HandlerOptions {
  services: StoreServices;
  credentials: Credentials;
  corsOrigins: readonly string[];
  /** Called for failures of the store, not for errors of clients. */
  onFailure: (message: string, error: unknown) => void;
}

export function createHandler(options: HandlerOptions) {
  const { services, corsOrigins } = options;
  return async (raw: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (raw.url?.startsWith('/-/')) {
      answerOwn(raw.url, response, services);
      return;
    }
    if (raw.method === 'OPTIONS') {
      answerPreflight(raw, response, corsOrigins);
      return;
    }
    services.metrics.add('kiln_store_requests_running', 1);
    try {
      applyCors(raw, response, corsOrigins);
      await serve(options, raw, response);
    } finally {
      services.metrics.add('kiln_store_requests_running', -1);
    }
  };
}

async function serve(options: HandlerOptions, raw: IncomingMessage, response: ServerResponse): Promise<void> {
  const { services, credentials, onFailure } = options;
  let request: Parameters<typeof answerError>[0] = { id: '', path: '', raw, response };
  let operation = 'unknown';
  try {
    const parsed = parseRequest(raw, response);
    request = parsed;
    response.setHeader('x-amz-request-id', parsed.id);
    const auth = authenticate(parsed, credentials, services.now());
    const route = resolveRoute(parsed);
    operation = route.name;
    await route.run({ request: parsed, auth, services });
  } catch (error) {
    const aborted = raw.destroyed && !raw.complete;
    const hungUp = response.destroyed || response.writableEnded;
    if (!aborted && !hungUp && toS3Error(error).code === 'InternalError')
      onFailure(`${operation} ${request.id}`, error);
    answerError(request, error);
  } finally {
    services.metrics.add('kiln_store_requests_total', 1, { operation, status: String(response.statusCode) });
  }
}

/** `-` is not a valid bucket name, so these paths cannot name objects. */
function answerOwn(url: string, response: ServerResponse, { metrics }: StoreServices): void {
  const path = url.replace(/\?.*$/, '');
  if (path === '/-/health') {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"ok"}');
  } else if (path === '/-/metrics') {
    response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4' }).end(metrics.text());
  } else {
    response.writeHead(404).end();
  }
}
