// Sends the requests of the generated methods.
import { runAttempts } from './attempts.js';
import { Credentials } from './credentials.js';
import { randomIdempotencyKey } from './idempotency-key.js';
import { List, type Page } from './list.js';
import { limitsOf, type KilnOptions, type Limits, type RequestLimits, type RequestOptions } from './options.js';
import { readJsonEvents } from './read-json-events.js';
import { fetchResponse, readBlob, readJson } from './response.js';
import { SseParser } from './sse-parser.js';
import { checkedBaseUrl, pathOf, queryOf } from './url.js';
import { userAgentHeaders } from './user-agent.js';

/** Kiln ends a question after two minutes. */
const SLOW: Limits = { timeoutMs: 150_000 };

export interface ApiRequest {
  method: string;
  /** With `{names}` for the parameters. */
  path: string;
  parameters?: readonly (string | number)[];
  query?: object;
  /** Sent as JSON. */
  body?: object;
  /** Whether the server keeps the response for an Idempotency-Key. */
  isKeyed?: boolean;
  /** Whether the response can take minutes. */
  isSlow?: boolean;
  headers?: Record<string, string>;
  /** A body that is no JSON, in place of `body`. */
  bytes?: Uint8Array<ArrayBuffer> | Blob;
  /** The same as a stream. It is sent once. */
  stream?: ReadableStream<Uint8Array>;
}

export class Transport {
  readonly fetch: typeof fetch;
  readonly #baseUrl: string;
  readonly #credentials: Credentials;
  readonly #limits: Limits;

  constructor(options: KilnOptions) {
    this.#baseUrl = checkedBaseUrl(options.baseUrl);
    this.#credentials = new Credentials(options);
    const { timeoutMs, deadlineMs, maxRetries } = options;
    this.#limits = {
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(deadlineMs !== undefined && { deadlineMs }),
      ...(maxRetries !== undefined && { maxRetries }),
    };
    limitsOf(this.#limits);
    const { fetch: own = globalThis.fetch } = options;
    this.fetch = (input, init) => own(input, init);
  }

  json<Value>(request: ApiRequest, options: RequestOptions): Promise<Value> {
    return this.send(request, options, readJson<Value>);
  }

  bytes(request: ApiRequest, options: RequestOptions): Promise<Blob> {
    return this.send(request, options, readBlob);
  }

  list<P extends Page, Name extends keyof P, Entry = P[Name] extends readonly (infer One)[] ? One : never>(
    request: ApiRequest,
    entries: Name,
    options: RequestOptions,
  ): List<P, Entry> {
    const load = (cursor: string | undefined) =>
      this.json<P>(cursor === undefined ? request : { ...request, query: { ...request.query, cursor } }, options);
    return new List(load, (page) => page[entries] as readonly Entry[]);
  }

  /** The parts of a streamed answer. */
  async *eventsOf<Event extends object>(
    request: ApiRequest,
    options: RequestOptions,
  ): AsyncGenerator<Event, void, undefined> {
    const response = await this.open({ ...request, body: { ...request.body, stream: true } }, options);
    yield* readJsonEvents(response, { what: nameOf(request), parser: new SseParser(), signal: options.signal });
  }

  /** Returns as soon as the headers have arrived. The body is not read. */
  open(request: ApiRequest, options: RequestOptions): Promise<Response> {
    const headers = { accept: 'text/event-stream', ...request.headers };
    return this.send({ ...request, headers }, options, async (_what, response) => response);
  }

  limitsOf(options: RequestOptions): RequestLimits {
    return limitsOf(options, this.#limits);
  }

  private send<Value>(
    request: ApiRequest,
    options: RequestOptions,
    read: (what: string, response: Response) => Promise<Value>,
  ): Promise<Value> {
    const { method, path, parameters, query, stream, isKeyed = false, isSlow = false } = request;
    const what = nameOf(request);
    const url = this.#baseUrl + pathOf(path, parameters) + queryOf(query);
    const body = stream ?? request.bytes ?? (request.body && JSON.stringify(request.body));
    const headers: Record<string, string> = { accept: 'application/json', ...userAgentHeaders(), ...request.headers };
    if (request.body) headers['content-type'] ??= 'application/json';
    if (isKeyed) headers['idempotency-key'] = options.idempotencyKey ?? randomIdempotencyKey();
    const limits = this.limitsOf(isSlow ? { ...SLOW, ...this.#limits, ...options } : options);
    if (stream) limits.maxRetries = 0;
    const redact = (text: string) => this.#credentials.redact(text);
    const isRepeatable = !stream && (method !== 'POST' || isKeyed);
    return runAttempts({ what, limits, isRepeatable }, async (signal) => {
      headers.authorization = await this.#credentials.header();
      const init: RequestInit = { method, headers, signal, redirect: 'manual' };
      if (body !== undefined) init.body = body;
      if (stream) Object.assign(init, { duplex: 'half' });
      return read(what, await fetchResponse({ what, fetch: this.fetch, url, init, redact }));
    });
  }
}

/** The path as it is documented: a parameter can be a secret. */
const nameOf = ({ method, path }: ApiRequest) => `${method} ${path}`;
