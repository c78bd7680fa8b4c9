// Sends one POST request. One deadline covers the DNS lookup up to the last byte of the response. Redirects are not followed, a response is
// read up to a limit, and every failure becomes a result that is safe to show to the owner of the webhook.
import { connectionFailureOf } from '@kiln/outbound';
import type { Dispatcher } from 'undici';

export interface HttpRequest {
  /** `https://host:port` */
  origin: string;
  /** Path and query. */
  path: string;
  /** Headers: names and values alternate. */
  headers: string[];
  body: string;
}

export interface HttpResult {
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly retryAfter: string | undefined;
  /** The first 1 KiB of the body. */
  readonly responseBody: string | null;
  readonly durationMs: number;
}

const EXCERPT_BYTES = 1_024;
/** The part of a response that is read before its connection is closed. */
const RESPONSE_BYTES_MAX = 65_536;

const reasonOf = (error: unknown): string =>
  connectionFailureOf(error)?.message ?? 'The endpoint could not be reached.';

export class HttpSender {
  /** The exchanges in the order in which they began, which is the order of their deadlines. So one timer, for the first, serves all. */
  private readonly underWay = new Set<Exchange>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly deadlineMs: number,
  ) {}

  /** Calls `done` exactly once, whatever happens, with the result. */
  post({ origin, path, headers, body }: HttpRequest, done: (result: HttpResult) => void): void {
    const exchange = new Exchange((result) => {
      this.underWay.delete(exchange);
      done(result);
    });
    this.underWay.add(exchange);
    if (this.timer === null) this.watch(this.deadlineMs);
    try {
      this.dispatcher.dispatch({ origin, path, method: 'POST', headers, body }, exchange);
    } catch (error) {
      exchange.onResponseError(null, error as Error);
    }
  }

  /** Aborts everything that is under way. */
  abortAll(): void {
    for (const exchange of this.underWay) exchange.giveUp('The worker was stopped in the middle of this attempt.');
  }

  private watch(delayMs: number): void {
    this.timer = setTimeout(() => this.giveUpLate(), delayMs);
    this.timer.unref();
  }

  private giveUpLate(): void {
    this.timer = null;
    const message = `The endpoint did not answer in full within ${this.deadlineMs / 1_000} s.`;
    for (const exchange of this.underWay) {
      const leftMs = exchange.startedAt + this.deadlineMs - performance.now();
      if (leftMs > 0) return this.watch(leftMs);
      exchange.giveUp(message);
    }
  }
}

class Exchange implements Dispatcher.DispatchHandler, HttpResult {
  readonly startedAt = performance.now();
  statusCode: number | null = null;
  error: string | null = null;
  retryAfter: string | undefined;
  durationMs = 0;
  private controller: Dispatcher.DispatchController | null = null;
  private isOver = false;
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  constructor(private readonly done: (result: HttpResult) => void) {}

  get responseBody(): string | null {
    if (this.statusCode === null) return null;
    if (this.chunks.length === 0) return '';
    // Invalid UTF-8 is replaced; NUL cannot be stored.
    return Buffer.concat(this.chunks).toString('utf8').replaceAll('\0', '\ufffd');
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isOver) controller.abort(new Error('too late'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (statusCode < 200 || this.isOver) return;
    this.statusCode = statusCode;
    const retryAfter = headers['retry-after'];
    this.retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isOver) return;
    // Copies the chunk, because it can be a view of a large buffer.
    if (this.bytes < EXCERPT_BYTES) this.chunks.push(Buffer.from(chunk.subarray(0, EXCERPT_BYTES - this.bytes)));
    this.bytes += chunk.length;
    if (this.bytes <= RESPONSE_BYTES_MAX) return;
    this.end(null);
    controller.abort(new Error('enough was read'));
  }

  onResponseEnd(): void {
    this.end(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.end(reasonOf(error));
  }

  giveUp(message: string): void {
    this.end(message);
    this.controller?.abort(new Error(message));
  }

  private end(error: string | null): void {
    if (this.isOver) return;
    this.isOver = true;
    this.error = error;
    this.durationMs = Math.round(performance.now() - this.startedAt);
    this.done(this);
  }
}
