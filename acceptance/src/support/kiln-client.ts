// A thin HTTP client, as a caller would write it. Responses are validated against the published OpenAPI document.
import { CheckedResponses } from '@kiln/openapi-check';
import { assertStatus } from '@kiln/openapi-check/assert-status';
import { send } from '@kiln/openapi-check/send';
import { eventually } from '@kiln/dev';

export interface Answer<Body = Record<string, unknown>> {
  /** Method and path of the request. */
  request: string;
  status: number;
  headers: Headers;
  body: Body;
}

export interface Job {
  id: string;
  file_id: string;
  status: string;
  step: string | null;
  attempts: number;
  provider: string | null;
  error: { code: string; message: string; retryable: boolean } | null;
  timeline: TimelineEntry[];
}

export interface TimelineEntry {
  attempt: number;
  step: string | null;
  provider: string | null;
  status: string;
  duration_ms: number | null;
  error: { code: string; message: string } | null;
}

export interface CreatedFile {
  id: string;
  job_id: string;
  status: string;
  space: string;
  filename: string;
  content_type: string;
  size_bytes: number;
  sha256: string | null;
  storage_key: string;
  upload_url: string;
}

const REQUEST_TIMEOUT_MS = 60_000;
const ENDED = new Set(['completed', 'failed', 'cancelled']);

export class KilnClient {
  private constructor(
    readonly baseUrl: string,
    readonly apiKey: string,
    private readonly responses: CheckedResponses | null,
  ) {}

  static async of(baseUrl: string, apiKey: string): Promise<KilnClient> {
    return new KilnClient(baseUrl, apiKey, await CheckedResponses.of(baseUrl));
  }

  /** Does not validate: behind a gateway of one release, a service of another may answer. */
  static unchecked(baseUrl: string, apiKey: string): KilnClient {
    return new KilnClient(baseUrl, apiKey, null);
  }

  async request<Body = Record<string, unknown>>(
    method: string,
    path: string,
    options: { json?: unknown; body?: string | FormData; headers?: Record<string, string>; anonymous?: boolean } = {},
  ): Promise<Answer<Body>> {
    const headers: Record<string, string> = { ...options.headers };
    if (!options.anonymous) headers['authorization'] ??= `ApiKey ${this.apiKey}`;
    if (options.json !== undefined) headers['content-type'] ??= 'application/json';
    const body = options.json === undefined ? options.body : JSON.stringify(options.json);
    const request = new Request(this.baseUrl + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const response = await send(request, REQUEST_TIMEOUT_MS);
    const { status, headers: answered } = response;
    const text = await response.text();
    if (path.startsWith('/v1/')) this.responses?.checkText(method, path, { status, headers: answered, text });
    return { request: `${method} ${path}`, status, headers: answered, body: parse(text) as Body };
  }

  get<Body = Record<string, unknown>>(path: string): Promise<Answer<Body>> {
    return this.request<Body>('GET', path);
  }

  post<Body = Record<string, unknown>>(path: string, json: unknown): Promise<Answer<Body>> {
    return this.request<Body>('POST', path, { json });
  }

  /** A multipart upload, like curl -F. */
  upload(
    filename: string,
    content: Uint8Array | string | Blob,
    fields: Record<string, string> = {},
  ): Promise<Answer<CreatedFile>> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('file', content instanceof Blob ? content : new Blob([content as BlobPart]), filename);
    return this.request<CreatedFile>('POST', '/v1/upload', { body: form });
  }

  /** Waits for the end of the job and returns it. */
  async waitForJob(jobId: string, timeoutMs = 150_000): Promise<Job> {
    const ended = async () => {
      const { status, body } = await this.get<Job>(`/v1/jobs/${jobId}`);
      if (status === 200 && ENDED.has(body.status)) return body;
      throw new Error(`job ${jobId} has not ended: ${status} ${JSON.stringify(body)}`);
    };
    return eventually(ended, { timeoutMs, intervalMs: 50 });
  }

  async markdown(fileId: string): Promise<string> {
    const { body } = await this.get<{ content: string }>(`/v1/files/${fileId}/variants/markdown`);
    return body.content;
  }

  async search(query: string, options: Record<string, unknown> = {}) {
    const { body } = await this.post<{
      results: { file_id: string; score: number; snippet: string; chunk_text: string }[];
      total: number;
      mode: string;
    }>('/v1/search', { query, ...options });
    return body;
  }
}

/** The body of an answer that has this status. Otherwise fails, and shows the request and the body. */
export function bodyOf<Body>(answer: Answer<Body>, status: number): Body {
  assertStatus(answer, status, answer.request);
  return answer.body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
