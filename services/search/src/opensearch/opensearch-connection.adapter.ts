// Requests to OpenSearch. Each has a deadline. After failures in a row, requests fail at once until a probe succeeds.
import { unavailable } from '@kiln/contracts';
import { CircuitBreaker } from '@kiln/resilience';
import type { Client, ClientOptions, errors } from '@opensearch-project/opensearch';

interface ConnectionSettings {
  /** Addresses of nodes, without user and password. */
  urls: readonly string[];
  user?: string | undefined;
  password?: string | undefined;
  /** Certificates of the authorities that are trusted instead of the well-known ones, as PEM. */
  ca?: string | undefined;
}

type Send = (client: Client, options: { requestTimeout: number }) => Promise<{ body: unknown }>;

const FAILURES_MAX = 3;
const OPEN_MS = 1_000;
const OPEN_MS_MAX = 60_000;
/** A node that does not answer is replaced by another. */
const TRIES_MAX = 2;

export class OpenSearchConnection {
  private readonly circuit = new CircuitBreaker({ failuresMax: FAILURES_MAX, openMs: OPEN_MS, openMsMax: OPEN_MS_MAX });

  private constructor(
    private readonly client: Client,
    private readonly known: typeof errors,
  ) {}

  static async open({ urls, user, password, ca }: ConnectionSettings): Promise<OpenSearchConnection> {
    // The client is 29 MiB of memory. A process without OpenSearch does not load it.
    const { Client, errors } = await import('@opensearch-project/opensearch');
    const options: ClientOptions = { nodes: [...urls], maxRetries: TRIES_MAX - 1, compression: 'gzip' };
    if (user !== undefined) options.auth = { username: user, password: password ?? '' };
    if (ca !== undefined) options.ssl = { ca };
    return new OpenSearchConnection(new Client(options), errors);
  }

  /** Throws UNAVAILABLE while the server does not answer or the index is missing, and the client's error for a request that it refuses. */
  async request<Body>(deadlineMs: number, send: Send): Promise<Body> {
    if (this.circuit.waitMs > 0) throw unavailable('The search index');
    const call = this.circuit.begin();
    try {
      const { body } = await send(this.client, { requestTimeout: Math.ceil(deadlineMs / TRIES_MAX) });
      call.succeeded();
      return body as Body;
    } catch (error) {
      if (!this.isOutage(error)) {
        call.succeeded();
        throw this.statusOf(error) === 404 ? unavailable('The search index', error) : error;
      }
      call.failed();
      throw unavailable('The search index', error);
    }
  }

  async close(): Promise<void> {
    await this.client.close();
  }
  /** Returns the status of a request that OpenSearch refused, and null for other errors. */
  statusOf(error: unknown): number | null {
    return error instanceof this.known.ResponseError ? (error.statusCode ?? null) : null;
  }

  /** No answer, too many requests, or a shard that is not available. A refusal of the request is not an outage. */
  private isOutage(error: unknown): boolean {
    const status = this.statusOf(error);
    return status === null ? error instanceof this.known.OpenSearchClientError : status === 429 || status >= 500;
  }
}
