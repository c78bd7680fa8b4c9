// The Express application: what every request passes, then the rows, then "no such path" and the error handler.
import { isTracing, type Logger, type Metrics } from '@kiln/platform';
import express, { type Express } from 'express';
import { logRequests } from '../request-log/log-requests.js';
import type { RequestLog } from '../request-log/request-log.js';
import type { Route } from '../routes/route.js';
import { accessLog } from './access-log.js';
import { cors } from './cors.js';
import { errorHandler, unknownPath } from './errors.js';
import { everyRequest } from './every-request.js';
import { lingerAfterAnswer } from './linger.js';
import { readableRequest } from './readable-request.js';
import { registerRoutes, type RegisterOptions } from './register-routes.js';
import { securityHeaders } from './security-headers.js';
import { shownPath } from './shown-path.js';
import { traceRequests } from './trace-requests.js';

export interface AppOptions extends RegisterOptions {
  routes: readonly Route[];
  logger: Logger;
  metrics: Metrics;
  requestLog: Pick<RequestLog, 'add'>;
  publicUrl: string | undefined;
  corsOrigins: readonly string[];
}

export function createApp(options: AppOptions): Express {
  const app = express();
  const shown = shownPath(options.routes);
  app.disable('x-powered-by');
  app.disable('etag'); // Answers are per tenant and change; hashing each body would buy nothing.
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  if (isTracing()) app.use(traceRequests);
  app.use(
    everyRequest(
      accessLog(options.logger, options.metrics),
      logRequests(options.requestLog, shown),
      lingerAfterAnswer,
      securityHeaders(options.publicUrl),
    ),
  );
  app.use(readableRequest);
  if (options.corsOrigins.length > 0) app.use(cors(options.corsOrigins));
  registerRoutes(app, options.routes, options);
  app.use(unknownPath(shown));
  app.use(errorHandler(options.logger));
  return app;
}
