/**
 * A sandbox on other machines: sends documents to extractors (./extractor-server.ts) and receives their results. An extractor is as
 * untrusted as a child, so its answers are validated in the same way.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request, type Dispatcher } from 'undici';
import { documentKindOf } from '../content-type.js';
import { ExtractionError, unsupportedType } from '../extraction-error.js';
import type { ExtractionInput, ExtractionOutput, StatedProperties } from '../extractor.js';
import { defaultLimits, type ExtractionLimits } from '../limits.js';
import { ChildPipe } from './child-pipe.js';
import { DOCUMENTS_PATH } from './extractor-server.js';
import {
  checkProperties,
  checkResult,
  checkThumbnail,
  untrustworthy,
  type ChildMessage,
  type JobMessage,
} from './protocol.js';
import type { Sandbox } from './sandbox-options.js';
import { isSystemFault } from './system-fault.js';

export interface RemoteSandboxOptions {
  /** Of a service in front of all extractors, `http://extractor:9200`. Each document is a new connection, so they are spread. */
  url: string;
  /** Milliseconds for one document, with sending it and waiting for a process. */
  deadlineMs: number;
  /** Milliseconds for which a document that no extractor accepts is offered again. Default 30,000. */
  patienceMs?: number;
  limits?: Partial<ExtractionLimits>;
}

type Take<Result> = (answer: ChildMessage, pipe: ChildPipe, stopped: AbortSignal) => Promise<Result>;

const connectTimeoutMs = 5_000;
const firstDelayMs = 200;
const delayMsMax = 3_000;
/** No extractor has begun to read the document. */
const notAccepted = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function createRemoteSandbox(options: RemoteSandboxOptions): Sandbox {
  const remote = new RemoteSandbox(options);
  const counts = { busy: 0, completed: 0, failed: 0 };
  const counted = async <Result>(work: Promise<Result>): Promise<Result> => {
    counts.busy++;
    try {
      const result = await work;
      counts.completed++;
      return result;
    } catch (error) {
      counts.failed++;
      throw error;
    } finally {
      counts.busy--;
    }
  };
  return {
    name: 'local',
    supports: (contentType) => documentKindOf(contentType) !== null,
    extract: (input, signal) => counted(remote.extract(input, signal)),
    countPages: (input, signal) => counted(remote.countPages(input, signal)),
    makeThumbnail: (input, signal) => counted(remote.makeThumbnail(input, signal)),
    readProperties: (input, signal) => counted(remote.readProperties(input, signal)),
    checkIsolation: () => Promise.resolve({ level: 'extractor', reason: null }),
    stats: () => ({ isolation: 'extractor', processes: 0, waiting: 0, started: 0, ...counts }),
    pids: () => [],
    close: () => remote.close(),
  };
}

class RemoteSandbox {
  private readonly dispatcher: Dispatcher;
  private readonly limits: ExtractionLimits;
  private readonly closing = new AbortController();

  constructor(private readonly options: RemoteSandboxOptions) {
    const { deadlineMs } = options;
    this.limits = { ...defaultLimits, ...options.limits };
    this.dispatcher = new Agent({
      connect: { timeout: connectTimeoutMs },
      headersTimeout: deadlineMs,
      bodyTimeout: deadlineMs,
    });
  }

  extract(input: ExtractionInput, signal: AbortSignal): Promise<ExtractionOutput> {
    return this.exchange('extract', input, signal, async (answer, pipe, stopped) => {
      if (answer.type !== 'done') throw untrustworthy('it returned no document');
      const { pageCount, metadata, sizes } = checkResult(answer.result, this.limits);
      const paths = await pipe.files(sizes, input.outputDirectory, stopped);
      return { ...paths, markdownBytes: sizes.markdownPath, pageCount, metadata };
    });
  }

  countPages(input: ExtractionInput, signal: AbortSignal): Promise<number | null> {
    return this.exchange('count_pages', input, signal, (answer) => {
      if (answer.type !== 'counted') throw untrustworthy('it returned no count');
      return Promise.resolve(answer.pageCount);
    });
  }

  makeThumbnail(input: ExtractionInput, signal: AbortSignal): Promise<Buffer | null> {
    return this.exchange('make_thumbnail', input, signal, (answer) => Promise.resolve(checkThumbnail(answer)));
  }

  readProperties(input: ExtractionInput, signal: AbortSignal): Promise<StatedProperties | null> {
    return this.exchange('read_properties', input, signal, (answer) => Promise.resolve(checkProperties(answer)));
  }

  async close(): Promise<void> {
    this.closing.abort(new ExtractionError('unavailable', 'The service is stopping. Try again.'));
    await this.dispatcher.destroy();
  }

  private async exchange<Result>(
    task: JobMessage['task'],
    input: ExtractionInput,
    signal: AbortSignal,
    take: Take<Result>,
  ): Promise<Result> {
    if (documentKindOf(input.contentType) === null) throw unsupportedType(input.filename, input.contentType);
    const deadline = AbortSignal.timeout(this.options.deadlineMs);
    const stopped = AbortSignal.any([signal, this.closing.signal, deadline]);
    try {
      const { body } = await this.send(task, input, stopped);
      const pipe = new ChildPipe(body);
      try {
        const answer = await pipe.message(stopped);
        if (answer.type !== 'failed') return await take(answer, pipe, stopped);
        throw new ExtractionError(answer.code, answer.message, { retryable: answer.retryable });
      } finally {
        body.destroy();
      }
    } catch (error) {
      for (const { aborted, reason } of [signal, this.closing.signal]) if (aborted) throw reason;
      if (error instanceof ExtractionError || isSystemFault(error)) throw error;
      // The document may have made its extractor fail.
      throw new ExtractionError('internal', `No extractor could read "${input.filename}". Try again.`, {
        cause: error,
      });
    }
  }

  /** Offers the document until an extractor accepts it. */
  private async send(task: JobMessage['task'], input: ExtractionInput, signal: AbortSignal) {
    const lastAt = performance.now() + (this.options.patienceMs ?? 30_000);
    for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, delayMsMax)) {
      const refusal = await this.offer(task, input, signal).catch((error: unknown) => {
        if (isNotAccepted(error)) return error;
        throw error;
      });
      if (refusal !== null && !(refusal instanceof Error)) return refusal;
      if (performance.now() + delayMs > lastAt) throw noExtractor(refusal);
      await wait(delayMs, undefined, { signal });
    }
  }

  /** Null when the extractor has no room. */
  private async offer(task: JobMessage['task'], input: ExtractionInput, signal: AbortSignal) {
    const { path, filename, contentType, owner = '' } = input;
    const { size } = await stat(path);
    const url = new URL(DOCUMENTS_PATH, this.options.url);
    url.search = new URLSearchParams({ task, filename, content_type: contentType, owner }).toString();
    const answer = await request(url, {
      dispatcher: this.dispatcher,
      method: 'POST',
      headers: { 'content-length': String(size) },
      body: createReadStream(path),
      // Each document on a connection of its own, so that a balancer can choose another extractor.
      reset: true,
      signal,
    });
    if (answer.statusCode === 200) return answer;
    await answer.body.dump();
    if (answer.statusCode === 503) return null;
    throw new Error(`The extractor answered with status ${answer.statusCode}.`);
  }
}

function isNotAccepted(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && notAccepted.has(String(error.code));
}

function noExtractor(cause: unknown): ExtractionError {
  return new ExtractionError('unavailable', 'No extractor accepts documents. Try again.', { cause });
}
