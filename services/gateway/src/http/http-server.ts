// The public listener: bounded in headers, in silence and in dying.
import { badRequest, CodedError } from '@kiln/contracts';
import { createServer, STATUS_CODES, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { requestIdOf } from './request-state.js';
import type { RunningRequests } from './running-requests.js';

const HEADER_BYTES_MAX = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
/** Longer than the usual 60 s of load balancers, so that they and not we close idle connections. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** A connection on which nothing moves for this long is cut. Uploads may take hours, as long as bytes come. */
const SILENCE_TIMEOUT_MS = 60_000;
/** An idle connection closed without warning could cost a caller the request it is just sending. */
const ANNOUNCE_MS = 1_000;
const CONNECTIONS_CHECK_MS = 5_000;
const METHODS = 'GET, HEAD, POST, PATCH, PUT, DELETE';

export class HttpServer {
  private readonly server: Server;
  private stopping = false;

  constructor(
    app: RequestListener,
    private readonly running: RunningRequests,
  ) {
    const answer: RequestListener = (request, response) => {
      // Tells clients to open their next connection elsewhere.
      if (this.stopping) response.setHeader('Connection', 'close');
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
    this.server.setTimeout(SILENCE_TIMEOUT_MS);
    this.server.on('checkExpectation', answer);
    this.server.on('connect', answerConnect);
    this.server.on('clientError', answerUnreadable);
  }

  /** Resolves with the port once the address is really bound. */
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
   * Goes on answering for a moment, while balancers see that it is not ready and callers are told to connect elsewhere; then
   * takes no new connections, lets requests under way finish until the deadline, and cuts what is left.
   */
  async drain(deadlineMs: number): Promise<void> {
    this.stopping = true;
    const announceMs = Math.min(ANNOUNCE_MS, deadlineMs / 2);
    await delay(announceMs);
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const idle = setInterval(() => this.server.closeIdleConnections(), 50);
    const late = setTimeout(() => this.server.closeAllConnections(), deadlineMs - announceMs);
    this.server.closeIdleConnections();
    await closed;
    // Those that were cut still take back what they stored.
    await this.running.settled();
    clearInterval(idle);
    clearTimeout(late);
  }
}

const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

/** Bytes that are no HTTP request get the usual error body, as far as there is someone to read it. */
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

/** Where there is no response to write to. */
function refuse(socket: Duplex, error: CodedError, requestId: string, headers: readonly string[] = []): void {
  const body = JSON.stringify({ error: error.message, code: error.code, requestId });
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...headers,
    'Connection: close',
  ];
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
