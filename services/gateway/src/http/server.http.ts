// The public listener, with limits on headers, idle time and shutdown.
import { badRequest, CodedError } from '@kiln/contracts';
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { errorBody } from './errors.middleware.js';
import { requestIdOf } from './request-state.http.js';
import type { RunningRequests } from './running-requests.service.js';
import { JSON_TYPE } from './send-json.http.js';

const HEADER_BYTES_MAX = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
/** The usual time of load balancers is 60 s. With a longer one here, the balancer closes idle connections first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** A connection without traffic for this long is closed, unless its caller waits for a response. */
const SILENCE_TIMEOUT_MS = 60_000;
const CONNECTIONS_CHECK_MS = 5_000;
const METHODS = 'GET, HEAD, POST, PATCH, PUT, DELETE';

export class HttpServer {
  private readonly server: Server;
  private readonly lastResponses = new WeakMap<Socket, ServerResponse>();
  private readonly openResponses = new Set<ServerResponse>();
  private stopping = false;

  constructor(
    app: RequestListener,
    private readonly running: RunningRequests,
    silenceTimeoutMs = SILENCE_TIMEOUT_MS,
  ) {
    const answer: RequestListener = (request, response) => {
      this.lastResponses.set(request.socket, response);
      this.openResponses.add(response);
      response.once('close', () => this.openResponses.delete(response));
      if (this.stopping) askToReconnect(response);
      app(request, response);
    };
    this.server = createServer(
      {
        maxHeaderSize: HEADER_BYTES_MAX,
        headersTimeout: HEADERS_TIMEOUT_MS,
        requestTimeout: 0,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
        connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
        requireHostHeader: false, // The application refuses it with the usual error body.
      },
      answer,
    );
    this.server.setTimeout(silenceTimeoutMs, (socket: Socket) => this.endIfIdle(socket));
    this.server.on('checkExpectation', answer);
    this.server.on('connect', answerConnect);
    this.server.on('clientError', answerUnreadable);
  }

  /**
   * While a handler works, its caller has nothing to send, and the handler has a deadline of its own: for the body (watch-arrival.http.ts,
   * json-body.http.ts), for the object store and for each call to a service. The response itself must advance.
   */
  private endIfIdle(socket: Socket): void {
    const response = this.lastResponses.get(socket);
    if (response && !response.headersSent && !response.destroyed) return;
    socket.destroy();
  }

  /** Resolves with the port once the address is bound. */
  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    const address = this.server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  /**
   * First answers with `Connection: close` for a while, so that balancers notice that it is not ready: if it closed an idle
   * connection without notice, a request that a caller is just sending could be lost. Then it accepts no new connections, lets
   * running requests finish until the deadline, and closes the rest.
   */
  async drain(deadlineMs: number, wantedNoticeMs: number): Promise<void> {
    this.stopping = true;
    this.openResponses.forEach(askToReconnect);
    const noticeMs = Math.min(wantedNoticeMs, deadlineMs / 2);
    await delay(noticeMs);
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const idle = setInterval(() => this.server.closeIdleConnections(), 50);
    const late = setTimeout(() => this.server.closeAllConnections(), deadlineMs - noticeMs);
    this.server.closeIdleConnections();
    await closed;
    // Requests that were cut off still remove what they have stored.
    await this.running.ended();
    clearInterval(idle);
    clearTimeout(late);
  }
}

/** Asks the client to open a new connection, which the balancer sends elsewhere. */
function askToReconnect(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

/** Answers bytes that are not an HTTP request with the usual error body, if the connection is still open. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const message = UNREADABLE[error.code ?? ''] ?? 'This is not a valid HTTP request.';
  refuse(socket, badRequest(message), uuidv7());
}

/** Node hands over the bare connection of a CONNECT. */
function answerConnect({ headers }: IncomingMessage, socket: Duplex): void {
  const refusal = new CodedError('METHOD_NOT_ALLOWED', `CONNECT is not possible here. Use ${METHODS}.`);
  refuse(socket, refusal, requestIdOf(headers['x-request-id']), [`Allow: ${METHODS}`]);
}

/** Writes to connections that have no response object. */
function refuse(socket: Duplex, error: CodedError, requestId: string, headers: readonly string[] = []): void {
  const body = JSON.stringify(errorBody(error, requestId));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...headers,
    'Connection: close',
  ];
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
