// Sends signed requests to an organization's own extractor. Redirects are not followed, and answers are read up to a limit.
import type { ExtractionRequest } from '@kiln/contracts';
import { fileFault } from '@kiln/extraction/remote/file-faults';
import type { ProviderEndpoint } from '@kiln/model-clients/http/provider-endpoint';
import { ProviderError } from '@kiln/model-clients/http/provider-error';
import type { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import { connectionFailureOf } from '@kiln/outbound';
import { keyOf, signatureOf } from '@kiln/platform';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { RESULT_BYTES_MAX } from './result-limits.domain.js';

export interface ExtractorClientOptions {
  http: ProviderHttp;
  endpoint: ProviderEndpoint;
  /** `whsec_…` */
  secret: string;
  /** Milliseconds for the whole exchange. */
  deadlineMs: number;
}

/** The status of an extractor that answers later. */
const ACCEPTED = 202;
const OK = 200;

export class ExtractorClient {
  constructor(private readonly options: ExtractorClientOptions) {}

  /**
   * Writes the answer to `path`. Returns false if the extractor has accepted the request and answers later. Throws
   * ProviderError or ExtractionError.
   */
  async ask(request: ExtractionRequest, path: string, signal: AbortSignal): Promise<boolean> {
    const { http, endpoint, deadlineMs } = this.options;
    const body = JSON.stringify(request);
    let status = 0;
    const asked = {
      path: '',
      headers: this.headersOf(request.id, body),
      body,
      deadlineMs,
      responseBytesMax: RESULT_BYTES_MAX,
      onStatus: (statusCode: number) => (status = statusCode),
    };
    try {
      await pipeline(http.post(endpoint, asked, signal), createWriteStream(path));
    } catch (error) {
      throw error instanceof ProviderError ? this.explained(error, request.file.filename) : error;
    }
    if (status === ACCEPTED) return false;
    if (status === OK) return true;
    const message = `Your own extractor answered with status ${status}. It must answer 200 with a result, or 202.`;
    throw new ProviderError('malformed', endpoint, { statusCode: status, message });
  }

  private headersOf(id: string, body: string): Record<string, string> {
    const timestamp = Math.floor(Date.now() / 1_000);
    return {
      'content-type': 'application/json',
      'user-agent': 'Kiln-Extraction/1.0',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf([keyOf(this.options.secret)], id, timestamp, body),
    };
  }

  /** Its owner can correct what a stranger could not: the reason may be named. */
  private explained(error: ProviderError, filename: string): Error {
    if (error.fault !== 'unreachable') return fileFault(error, filename);
    const failure = connectionFailureOf(error.cause);
    const message = `Your own extractor could not be reached. ${failure?.message ?? ''}`.trim();
    return new ProviderError('unreachable', this.options.endpoint, { message, cause: error.cause });
  }
}
