// Starts a store on a folder, and stops it in phases: refuse new requests, finish running ones, send pending notifications.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import type { Credentials } from './auth/signature.js';
import { Buckets } from './disk/buckets.js';
import { MultipartUploads } from './disk/multipart-uploads.js';
import { STALE_AFTER_MS, sweepStale } from './disk/sweep.js';
import { createHandler } from './handler.js';
import { listen } from './listen.js';
import { Metrics } from './metrics.js';
import { Notifications, type NotifyTarget } from './notifications.js';
import type { StoreLimits, StoreServices } from './operation.js';

const GIBIBYTE = 1024 ** 3;

export interface ObjectStoreOptions extends Credentials {
  /** The data folder, created when missing. Only one process at a time may use it. */
  directory: string;
  /** Default 127.0.0.1. */
  host?: string;
  /** Default: a free port below 32768. */
  port?: number;
  /** Buckets to create at start unless they exist. */
  buckets?: readonly string[];
  notify?: NotifyTarget;
  /** Origins of pages that may use the store from a browser. Default `*`. */
  corsOrigins?: readonly string[];
  /**
   * True (default): data and folder entries are synced to the disk before a write is acknowledged, so it survives a power failure. False: they
   * are passed to the operating system, and survive a crash of this process only.
   */
  durable?: boolean;
  limits?: Partial<StoreLimits>;
  /** Called for failures of the store itself. Default: nothing. */
  onFailure?: (message: string, error: unknown) => void;
  /** Milliseconds since 1970. Default Date.now. */
  now?: () => number;
}

export interface RunningObjectStore {
  url: string;
  port: number;
  /** Waits up to `graceMs` (default 10,000) for running requests, then closes their connections. */
  close(graceMs?: number): Promise<void>;
}

const LIMITS: StoreLimits = {
  putBytesMax: 5 * GIBIBYTE,
  objectBytesMax: 5 * 1024 * GIBIBYTE,
  partBytesMin: 5 * 1024 ** 2,
  xmlBytesMax: 4 * 1024 ** 2,
};
const HEADERS_BYTES_MAX = 32 * 1024;
const HEADERS_TIMEOUT_MS = 20_000;
/** A connection without traffic for this long is closed. */
const IDLE_TIMEOUT_MS = 120_000;
const KEEP_ALIVE_MS = 75_000;
const NOTIFY_GRACE_MS = 2_000;

export async function startObjectStore(options: ObjectStoreOptions): Promise<RunningObjectStore> {
  const services = await openServices(options);
  const { accessKeyId, secretAccessKey, corsOrigins = ['*'], onFailure = () => undefined } = options;
  const handler = createHandler({ services, credentials: { accessKeyId, secretAccessKey }, corsOrigins, onFailure });
  const server = createServer({
    maxHeaderSize: HEADERS_BYTES_MAX,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: 0, // bodies have their own limit, which depends on their size
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 5_000,
  });
  server.timeout = IDLE_TIMEOUT_MS;
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    // During shutdown: the connection of a busy client would never be idle, and would delay the shutdown until the grace period ends.
    if (!server.listening) response.setHeader('connection', 'close');
    handler(request, response).catch((error: unknown) => {
      onFailure('answering a request', error);
      response.destroy();
    });
  };
  server.on('request', handle);
  server.on('checkContinue', handle); // the body is requested once the request is validated
  const { host = '127.0.0.1' } = options;
  const port = await listen(server, host, options.port);
  const sweeping = startSweeping(services, onFailure);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    close: async (graceMs = 10_000) => {
      clearInterval(sweeping);
      await closeServer(server, graceMs);
      await services.notifications.close(NOTIFY_GRACE_MS);
    },
  };
}

async function openServices(options: ObjectStoreOptions): Promise<StoreServices> {
  const { durable = true, now = Date.now } = options;
  const metrics = new Metrics();
  const buckets = new Buckets({ directory: resolve(options.directory), durable });
  await buckets.prepare();
  metrics.add('kiln_store_swept_total', await sweepStale(buckets, now()));
  for (const name of options.buckets ?? []) await buckets.create(name);
  return {
    buckets,
    uploads: new MultipartUploads(buckets),
    notifications: new Notifications(options.notify, metrics),
    metrics,
    limits: { ...LIMITS, ...options.limits },
    now,
  };
}

function startSweeping(services: StoreServices, onFailure: (message: string, error: unknown) => void): NodeJS.Timeout {
  const sweep = (): void => {
    sweepStale(services.buckets, services.now()).then(
      (swept) => services.metrics.add('kiln_store_swept_total', swept),
      (error: unknown) => onFailure('sweeping stale files', error),
    );
  };
  return setInterval(sweep, STALE_AFTER_MS / 4).unref();
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
