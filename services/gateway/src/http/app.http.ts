// The Express application: the steps of every request, the rows, the answer to unknown paths, and the error handler.
import { isTracing, type Metrics } from '@kiln/platform';
import express, { type Express } from 'express';
import { logRequests } from '../request-log/log-requests.http.js';
import type { RequestLog } from '../request-log/request-log.service.js';
import type { Route } from '../routes/kinds.route.js';
import { CONSOLE_PATH, serveConsole } from '../console/console.http.js';
import type { FrameAncestors } from '../portal/frame-ancestors.service.js';
import { PORTAL_PATH, servePortal } from '../portal/serve-portal.http.js';
import { builtSite } from '../sites/site-files.http.js';
import { accessLog } from './access-log.middleware.js';
import { cors } from './cors.middleware.js';
import { errorHandler, unknownPath } from './errors.middleware.js';
import { requestSteps } from './request-steps.middleware.js';
import { challengeAgents } from './challenge-agents.middleware.js';
import { lingeringClose } from './lingering-close.middleware.js';
import { readableRequest } from './readable-request.middleware.js';
import { registerRoutes, type RegisterOptions } from './register-routes.http.js';
import { securityHeaders } from './security-headers.middleware.js';
import { redactedPath } from './redacted-path.http.js';
import { traceRequests } from './trace-requests.middleware.js';

export interface AppOptions extends RegisterOptions {
  routes: readonly Route[];
  metrics: Metrics;
  requestLog: Pick<RequestLog, 'add'>;
  corsOrigins: readonly string[];
  frameAncestors: FrameAncestors;
}

export function createApp(options: AppOptions): Express {
  const app = express();
  const { logger, publicUrl } = options.services;
  const shown = redactedPath(options.routes);
  app.disable('x-powered-by');
  app.disable('etag'); // Answers are per tenant and change; hashing each body would buy nothing.
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  if (isTracing()) app.use(traceRequests);
  app.use(
    requestSteps(
      accessLog(logger, options.metrics),
      logRequests(options.requestLog, shown),
      lingeringClose(),
      securityHeaders(publicUrl),
    ),
  );
  app.use(readableRequest);
  if (options.corsOrigins.length > 0) app.use(cors(options.corsOrigins));
  registerRoutes(app, options.routes, options);
  app.use(CONSOLE_PATH, serveConsole(builtSite('console')));
  app.use(PORTAL_PATH, servePortal(builtSite('portal'), options.frameAncestors));
  app.use(unknownPath(shown));
  app.use(challengeAgents(options.services));
  app.use(errorHandler(logger));
  return app;
}
