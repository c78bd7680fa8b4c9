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
import {
  ExtractionError,
  isSystemFault,
  RESULT_TYPE,
  type ExtractionInput,
  type ExtractionOutput,
  type Extractor,
} from '@kiln/extraction';
import { endpointName, type ProviderEndpoint } from '@kiln/model-clients/http/provider-endpoint';
import { ProviderError } from '@kiln/model-clients/http/provider-error';
import { PARSED_HERE_BYTES_MAX } from '@kiln/extraction/remote/document-server';
import { writeForeignText } from '@kiln/extraction/remote/write-foreign-text';
import { StorageError, type ObjectStore } from '@kiln/storage';
import { createWriteStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { v7 as uuidv7 } from 'uuid';
import type { Lease } from '../leases/lease.store.js';
import { ExtractionAwaited, secondsUntilDeadline, type AskedExtraction } from './asked-extraction.domain.js';
import type { ExtractionStore } from './extraction.store.js';
import type { ExtractorClient } from './extractor-client.adapter.js';
import { OUTPUT_BYTES_MAX } from './result-limits.domain.js';

export interface OwnExtractorParts {
  endpoint: ProviderEndpoint & { provider: AskedExtraction['provider'] };
  client: Pick<ExtractorClient, 'ask'>;
  extractions: Pick<ExtractionStore, 'find' | 'put' | 'accept'>;
  objects: Pick<ObjectStore, 'get'>;
  /** Reads large results. */
  sandbox: Pick<Extractor, 'extract'>;
  lease: Lease;
  /** Seconds that a result may take. */
  callbackSeconds: number;
  requestOf: (asked: AskedExtraction) => Promise<ExtractionRequest>;
}

/** The name of the result on disk, beside the file that is read. */
const answerPath = ({ outputDirectory }: ExtractionInput) => join(outputDirectory, 'answer.json');

export class OwnExtractor implements Extractor {
  readonly name: string;

  constructor(private readonly parts: OwnExtractorParts) {
    this.name = endpointName(parts.endpoint);
  }

  /** The extractor alone knows which types it reads. It refuses the others. */
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
    const path = answerPath(input);
    if (await client.ask(request, path, signal)) return this.write(input, path, signal);
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
    const path = answerPath(input);
    try {
      const { body } = await this.parts.objects.get(key, { signal });
      await pipeline(body, createWriteStream(path), { signal });
    } catch (error) {
      if (!(error instanceof StorageError && error.code === 'not_found')) throw error;
      // The result is lost, as after a restore of older objects. The file is not: it is read anew.
      return this.ask(await this.begin(), input, signal);
    }
    return this.write(input, path, signal);
  }

  /** If the result is invalid, the next run requests a new one. A result that could not be read now is kept. */
  private async write(input: ExtractionInput, path: string, signal: AbortSignal): Promise<ExtractionOutput> {
    try {
      const { size } = await stat(path);
      return await (size > PARSED_HERE_BYTES_MAX
        ? this.readInSandbox(input, path, signal)
        : this.parseHere(input, path));
    } catch (error) {
      if (!signal.aborted && !isSystemFault(error)) await this.put(null);
      throw error;
    } finally {
      await rm(path, { force: true });
    }
  }

  private async parseHere(input: ExtractionInput, path: string): Promise<ExtractionOutput> {
    const {
      markdown,
      pages,
      title = null,
      author = null,
      language = null,
      // Without a byte order mark.
    } = this.parse(new TextDecoder().decode(await readFile(path)), input.filename);
    const texts = pages?.map((page) => page.markdown) ?? [markdown ?? ''];
    const found = { texts, hasPages: pages !== undefined, title, author, language };
    return writeForeignText(input, found, OUTPUT_BYTES_MAX);
  }

  /** A large result takes several times its size while it is parsed, which a worker does not have. */
  private async readInSandbox(input: ExtractionInput, path: string, signal: AbortSignal): Promise<ExtractionOutput> {
    try {
      return await this.parts.sandbox.extract({ ...input, path, contentType: RESULT_TYPE }, signal);
    } catch (error) {
      throw error instanceof ExtractionError && error.code === 'corrupt_file'
        ? this.malformed(error.message, error)
        : error;
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
