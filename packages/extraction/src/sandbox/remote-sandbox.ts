/**
 * A sandbox on other machines: sends documents to extractors (./extractor-server.ts) and receives their results. An extractor is as
 * untrusted as a child, so its answers are validated in the same way.
 */
import { Agent, type Dispatcher } from 'undici';
import { ExtractionError, unsupportedType } from '@kiln/pdf/extraction-error';
import type { ExtractionInput } from '@kiln/readers/extractor';
import { defaultLimits, type ExtractionLimits } from '@kiln/readers/limits';
import { ChildPipe } from './child-pipe.js';
import { offerDocument } from './document-offer.js';
import { MessageReader, type Take } from './message-reader.js';
import type { Task } from './protocol.js';
import { isReadable } from './readable-types.js';
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

const connectTimeoutMs = 5_000;
const patienceMsDefault = 30_000;

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
    supports: isReadable,
    extract: (input, signal) => counted(remote.extract(input, signal)),
    countPages: (input, signal) => counted(remote.countPages(input, signal)),
    makeThumbnail: (input, signal) => counted(remote.makeThumbnail(input, signal)),
    readProperties: (input, signal) => counted(remote.readProperties(input, signal)),
    drawPage: (input, place, signal) => counted(remote.drawPage(input, place, signal)),
    checkIsolation: () => Promise.resolve({ level: 'extractor', reason: null }),
    stats: () => ({ isolation: 'extractor', processes: 0, waiting: 0, started: 0, ...counts }),
    pids: () => [],
    close: () => remote.close(),
  };
}

class RemoteSandbox extends MessageReader {
  private readonly dispatcher: Dispatcher;
  protected readonly limits: ExtractionLimits;
  private readonly closing = new AbortController();

  constructor(private readonly options: RemoteSandboxOptions) {
    super();
    const { deadlineMs } = options;
    this.limits = { ...defaultLimits, ...options.limits };
    this.dispatcher = new Agent({
      connect: { timeout: connectTimeoutMs },
      headersTimeout: deadlineMs,
      bodyTimeout: deadlineMs,
    });
  }

  async close(): Promise<void> {
    this.closing.abort(new ExtractionError('unavailable', 'The service is stopping. Try again.'));
    await this.dispatcher.destroy();
  }

  protected async exchange<Result>(
    task: Task,
    input: ExtractionInput,
    signal: AbortSignal,
    take: Take<Result>,
  ): Promise<Result> {
    if (!isReadable(input.contentType)) throw unsupportedType(input.filename, input.contentType);
    const deadline = AbortSignal.timeout(this.options.deadlineMs);
    const stopped = AbortSignal.any([signal, this.closing.signal, deadline]);
    try {
      const { dispatcher } = this;
      const { url, patienceMs = patienceMsDefault } = this.options;
      const { body } = await offerDocument(task, input, { url, dispatcher, patienceMs, signal: stopped });
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
}
