// Authenticated requests to the JSON API (https://cloud.google.com/storage/docs/json_api/v1), and to the XML API for uploads in parts.
import type { Storage } from '@google-cloud/storage';
import type { Readable } from 'node:stream';
import { withDeadline } from '../deadline.js';
import { agentFor, type HttpAgents } from '../http-agents.js';
import type { FederatedAccount } from './federated-account.js';
import { toStorageError } from './gcs-errors.js';

export interface GcsRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  params?: Record<string, string | number>;
  headers?: Record<string, string>;
  body?: Buffer | string;
  /** Statuses other than 2xx that are not failures. */
  accepts?: readonly number[];
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  /** False when the caller retries itself. Every request may be sent twice. */
  retry?: boolean;
}

export interface GcsAnswer<T> {
  status: number;
  headers: Record<string, string>;
  data: T;
}

type HttpOptions = Parameters<Storage['authClient']['request']>[0];

const RETRIES = 2;

export class GcsRequests {
  readonly #bucketPath: string;

  constructor(
    readonly storage: Storage,
    readonly endpoint: string,
    readonly bucket: string,
    readonly timeoutMs: number,
    private readonly agents?: HttpAgents,
    /** Without it the SDK adds the token. */
    private readonly federated?: FederatedAccount,
  ) {
    this.#bucketPath = `b/${encodeURIComponent(bucket)}`;
  }

  get bucketsUrl(): string {
    return `${this.endpoint}/storage/v1/b`;
  }

  get bucketUrl(): string {
    return `${this.endpoint}/storage/v1/${this.#bucketPath}`;
  }

  get uploadUrl(): string {
    return `${this.endpoint}/upload/storage/v1/${this.#bucketPath}/o`;
  }

  objectUrl(key: string): string {
    return `${this.bucketUrl}/o/${encodeURIComponent(key)}`;
  }

  json<T>(action: string, request: GcsRequest): Promise<GcsAnswer<T>> {
    return this.#send<T>(action, request, 'json');
  }

  text(action: string, request: GcsRequest): Promise<GcsAnswer<string>> {
    return this.#send<string>(action, request, 'text');
  }

  stream(action: string, request: GcsRequest): Promise<GcsAnswer<Readable>> {
    return this.#send<Readable>(action, request, 'stream');
  }

  async #send<T>(action: string, request: GcsRequest, responseType: 'json' | 'text' | 'stream'): Promise<GcsAnswer<T>> {
    const { method, url, params = {}, headers = {}, body, accepts = [], signal, retry = true } = request;
    const { agents, federated } = this;
    const deadline = { timeoutMs: request.timeoutMs ?? this.timeoutMs, action, signal, toError: toStorageError };
    return withDeadline(deadline, async (abortSignal) => {
      const token = await federated?.token(abortSignal);
      const options: HttpOptions & { compress: boolean } = {
        method,
        url,
        params,
        headers: { ...headers, ...(token && { Authorization: `Bearer ${token.value}` }) },
        ...(body !== undefined && { data: body }),
        signal: abortSignal,
        ...(agents && { agent: (target: { protocol: string | null }) => agentFor(agents, target) }),
        responseType,
        // Decompresses responses that are read here. An object is returned as it is stored.
        compress: responseType !== 'stream',
        validateStatus: (status) => (status >= 200 && status < 300) || accepts.includes(status),
        ...(retry && {
          retryConfig: { retry: RETRIES, noResponseRetries: RETRIES, httpMethodsToRetry: [method] },
        }),
      };
      const answer = await this.storage.authClient.request<T>(options);
      return { status: answer.status, headers: answer.headers, data: answer.data };
    });
  }
}
