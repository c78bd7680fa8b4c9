// The private HTTP port of every process: /livez (the event loop runs), /readyz (the process can serve requests), /metrics. A
// service may add internal routes. It is not exposed to callers.
import { within } from '@kiln/resilience';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.js';
import { acceptsOpenMetrics, OPEN_METRICS_CONTENT_TYPE } from './open-metrics.js';
import { PROMETHEUS_CONTENT_TYPE } from './prometheus-reader.js';
import { isTracing } from './tracing.js';

export type HealthCheck = () => Promise<void>;

/** `needed`: without it the process can serve no request. `reported`: without it some requests fail. */
export type CheckKind = 'needed' | 'reported';
export type InternalRoute = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Readiness {
  ready: boolean;
  state: string;
  checks: Record<string, string>;
  /** The facts that `setFact` has set. */
  facts?: Record<string, string>;
}

export interface HealthServerOptions {
  host: string;
  port: number;
  metrics: Metrics;
}

const CHECK_TIMEOUT_MS = 2_000;
const REQUEST_TIMEOUT_MS = 15_000;

export class HealthServer {
  private readonly server: Server;
  private readonly checks = new Map<string, { check: HealthCheck; kind: CheckKind }>();
  private readonly facts = new Map<string, string>();
  private readonly routes = new Map<string, InternalRoute>();
  private state: 'starting' | 'ready' | 'stopping' = 'starting';

  constructor(private readonly options: HealthServerOptions) {
    this.server = createServer((request, response) => void this.handle(request, response));
    this.server.requestTimeout = REQUEST_TIMEOUT_MS;
  }

  /** A check of a dependency. A process that is not ready gets no requests, so only a dependency of all requests may be `needed`. */
  addCheck(name: string, kind: CheckKind, check: HealthCheck): void {
    this.checks.set(name, { check, kind });
  }

  /** A fact about the running process that operators should see, e.g. `extraction_isolation`. It does not affect readiness. */
  setFact(name: string, value: string): void {
    this.facts.set(name, value);
  }

  /** Adds an internal route, e.g. `POST /storage-events`. */
  addRoute(methodAndPath: string, route: InternalRoute): void {
    this.routes.set(methodAndPath, route);
  }

  setState(state: 'ready' | 'stopping'): void {
    this.state = state;
  }

  /** Resolves with the port. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.options.port, this.options.host, resolve);
    });
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Runs all checks. `ready` is true if the process has started and all needed checks pass. */
  async readiness(): Promise<Readiness> {
    const outcomes = await Promise.all(
      [...this.checks].map(async ([name, { check, kind }]) => ({ name, kind, result: await outcome(check) })),
    );
    const isServing = outcomes.every(({ kind, result }) => kind === 'reported' || result === 'ok');
    const checks = Object.fromEntries(outcomes.map(({ name, result }) => [name, result]));
    const facts = this.facts.size === 0 ? {} : { facts: Object.fromEntries(this.facts) };
    return { ready: this.state === 'ready' && isServing, state: this.state, checks, ...facts };
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const path = (request.url ?? '/').split('?')[0] ?? '/';
      const route = this.routes.get(`${request.method} ${path}`);
      if (route) return await route(request, response);
      if (path === '/livez') return sendJson(response, 200, { status: 'ok' });
      if (path === '/readyz') {
        const readiness = await this.readiness();
        return sendJson(response, readiness.ready ? 200 : 503, readiness);
      }
      if (path === '/metrics') return await this.sendMetrics(request, response);
      sendJson(response, 404, { status: 'not found' });
    } catch {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  }

  /** OpenMetrics, if there can be exemplars. */
  private async sendMetrics({ headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const isOpen = isTracing() && acceptsOpenMetrics(headers.accept);
    const text = await this.options.metrics.text(isOpen ? 'openmetrics' : 'prometheus');
    response.setHeader('content-type', isOpen ? OPEN_METRICS_CONTENT_TYPE : PROMETHEUS_CONTENT_TYPE);
    response.end(text);
  }
}

function outcome(check: HealthCheck): Promise<string> {
  const result = check().then(
    () => 'ok',
    () => 'failed',
  );
  return within(CHECK_TIMEOUT_MS, result, () => 'timeout');
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
