/**
 * Reads a file with the organization's own extractor (docs/own-extractor.md), which answers at once or by a callback. A run that waits for a
 * callback ends (`ExtractionAwaited`); the callback makes its job due, and the next run finds the result. Each step is in the row of the job
 * before the next begins, so a run that resumes asks again only if no answer is known, and under the same id.
 */
import {
  describeProblems,
  extractionResultSchema,
  unavailable,
  type ExtractionRequest,
  type ExtractionResult,
} from '@kiln/contracts';
import { ExtractionError, type ExtractionInput, type ExtractionOutput, type Extractor } from '@kiln/extraction';
import { endpointName, ProviderError, writeForeignText, type ProviderEndpoint } from '@kiln/extraction/remote';
import { StorageError, type ObjectStore } from '@kiln/storage';
import { text } from 'node:stream/consumers';
import { v7 as uuidv7 } from 'uuid';
import type { Lease } from '../leases/lease.store.js';
import { ExtractionAwaited, secondsUntilDeadline, type AskedExtraction } from './domain/asked-extraction.js';
import type { ExtractionStore } from './extraction.store.js';
import type { ExtractorClient } from './extractor-client.js';
import { OUTPUT_BYTES_MAX } from './result-limits.js';

export interface OwnExtractorParts {
  endpoint: ProviderEndpoint & { provider: AskedExtraction['provider'] };
  client: Pick<ExtractorClient, 'ask'>;
  extractions: Pick<ExtractionStore, 'find' | 'put' | 'accept'>;
  objects: Pick<ObjectStore, 'get'>;
  lease: Lease;
  /** Seconds that a result may take. */
  callbackSeconds: number;
  requestOf: (asked: AskedExtraction) => Promise<ExtractionRequest>;
}

export class OwnExtractor implements Extractor {
  readonly name: string;

  constructor(private readonly parts: OwnExtractorParts) {
    this.name = endpointName(parts.endpoint);
  }

  /** Only the extractor knows; it says so when asked. */
  supports(): boolean {
    return true;
  }

  /** Also throws ExtractionAwaited, and ProviderError. */
  async extract(input: ExtractionInput, signal: AbortSignal): Promise<ExtractionOutput> {
    const { extractions, lease, endpoint } = this.parts;
    const earlier = await extractions.find(lease);
    if (earlier?.result_key !== undefined) return this.readArrived(input, earlier.result_key, signal);
    if (earlier === null) return this.ask(await this.begin(), input, signal);
    const seconds = secondsUntilDeadline(earlier, Date.now());
    if (seconds === 0) {
      await this.put(null);
      const message = 'Your own extractor did not send the result in time.';
      throw new ProviderError('timeout', endpoint, { message });
    }
    if (earlier.accepted) throw new ExtractionAwaited(seconds);
    return this.ask(earlier, input, signal);
  }

  private async begin(): Promise<AskedExtraction> {
    const { endpoint, callbackSeconds } = this.parts;
    const deadline = new Date(Date.now() + callbackSeconds * 1_000).toISOString();
    const asked = { id: uuidv7(), provider: endpoint.provider, deadline_at: deadline, accepted: false };
    await this.put(asked);
    return asked;
  }

  private async ask(asked: AskedExtraction, input: ExtractionInput, signal: AbortSignal): Promise<ExtractionOutput> {
    const { client, requestOf, endpoint, extractions, lease } = this.parts;
    const request = await requestOf(asked);
    const answer = await client.ask(request, signal);
    if (answer !== null) return this.write(input, answer);
    if (request.callback_url === null) {
      const message =
        'Your own extractor answered 202, but this installation takes no results later. It must answer 200.';
      throw new ProviderError('malformed', endpoint, { message });
    }
    // A result may have arrived already. It is kept: the callback changes another field of the row.
    await extractions.accept(lease, asked.id);
    throw new ExtractionAwaited(secondsUntilDeadline(asked, Date.now()));
  }

  private async readArrived(input: ExtractionInput, key: string, signal: AbortSignal): Promise<ExtractionOutput> {
    const { objects } = this.parts;
    let answer: string;
    try {
      answer = await text((await objects.get(key, { signal })).body);
    } catch (error) {
      if (error instanceof StorageError && error.code === 'not_found') await this.put(null);
      throw error;
    }
    return this.write(input, answer);
  }

  /** A result that is of no use is asked for anew by the next run. */
  private async write(input: ExtractionInput, answer: string): Promise<ExtractionOutput> {
    try {
      const { markdown, pages, title = null, author = null, language = null } = this.parse(answer, input.filename);
      const texts = pages?.map((page) => page.markdown) ?? [markdown ?? ''];
      const found = { texts, hasPages: pages !== undefined, title, author, language };
      return await writeForeignText(input, found, OUTPUT_BYTES_MAX);
    } catch (error) {
      await this.put(null);
      throw error;
    }
  }

  private parse(answer: string, filename: string): ExtractionResult {
    let value: unknown;
    try {
      value = JSON.parse(answer);
    } catch (cause) {
      throw this.malformed('it is not JSON', cause);
    }
    const parsed = extractionResultSchema.safeParse(value);
    if (!parsed.success) throw this.malformed(describeProblems(parsed.error), parsed.error);
    const { error } = parsed.data;
    if (error) throw new ExtractionError(error.code, `"${filename}" could not be read. ${error.message}`.trim());
    return parsed.data;
  }

  private malformed(why: string, cause: unknown): ProviderError {
    const message = `The result of your own extractor cannot be used: ${why}.`;
    return new ProviderError('malformed', this.parts.endpoint, { message, cause });
  }

  private async put(asked: AskedExtraction | null): Promise<void> {
    const { extractions, lease } = this.parts;
    if (!(await extractions.put(lease, asked))) throw unavailable('The lease of this run');
  }
}
