/**
 * Controls one child process: starts it, gives it one document at a time, and kills it when it needs too much memory or time.
 * After the process has ended, the object cannot be used again.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { ExtractionError } from '../extraction-error.js';
import type { ExtractionInput, ExtractionOutput } from '../extractor.js';
import type { ExtractionLimits } from '../limits.js';
import { childEnvironment } from './config.js';
import { crashError, deadlineError, memoryError } from './child-failure.js';
import type { Isolation } from './isolation.js';
import {
  checkOutput,
  parseChildMessage,
  untrustworthy,
  type ChildMessage,
  type ChildSettings,
  type JobMessage,
} from './protocol.js';
import { residentBytes } from './resident-memory.js';

const memoryPollMs = 50;
/**
 * The share of memory for a semi-space of V8's young generation, which has three. The objects of a document live for a while, and a
 * small young generation would copy them repeatedly.
 */
const semiSpaceShare = 1 / 32;
const semiSpaceMebibytesMax = 64;
/** The end of standard error is kept, to recognize crashes caused by lack of memory. */
const stderrCharactersMax = 4096;

export interface ChildOptions {
  module: URL;
  isolation: Isolation;
  limits: ExtractionLimits;
  memoryBytesMax: number;
  deadlineMs: number;
}

/** The result for the document that the child reads. */
type Answer = Extract<ChildMessage, { type: 'done' | 'counted' }>;

interface Run {
  id: number;
  input: ExtractionInput;
  finish(result: { answer: Answer } | { error: unknown }): void;
}

export class SandboxChild {
  jobs = 0;
  private alive = true;
  private run: Run | null = null;
  private stderr = '';
  private readonly options: ChildOptions;
  private readonly process: ChildProcess;
  /** Resolves when the process has ended, for whatever reason. */
  readonly gone: Promise<void>;

  constructor(options: ChildOptions) {
    this.options = options;
    const settings: ChildSettings = { parentPid: process.pid, limits: options.limits };
    const { prefix } = options.isolation;
    // A heap limit below the memory limit makes V8 collect garbage before the process is killed.
    const memoryMebibytes = options.memoryBytesMax / 1024 / 1024;
    const heapMebibytes = Math.max(64, Math.floor(memoryMebibytes * 0.75));
    const semiSpaceMebibytes = Math.min(
      semiSpaceMebibytesMax,
      Math.max(1, Math.floor(memoryMebibytes * semiSpaceShare)),
    );
    this.process = fork(options.module, [JSON.stringify(settings)], {
      execPath: prefix[0] ?? process.execPath,
      execArgv: [
        ...prefix.slice(1),
        ...(prefix.length === 0 ? [] : [process.execPath]),
        `--max-old-space-size=${heapMebibytes}`,
        `--max-semi-space-size=${semiSpaceMebibytes}`,
      ],
      cwd: tmpdir(),
      env: childEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'json',
    });
    // An idle child does not keep the parent running.
    this.process.unref();
    this.process.channel?.unref();
    this.gone = new Promise((resolve) => {
      this.process.once('exit', () => resolve());
      this.process.once('error', () => resolve());
    });
    this.process.on('message', (message) => this.onMessage(parseChildMessage(message)));
    this.process.on('error', (error) => this.onExit(null, null, error));
    this.process.on('exit', (code, signal) => this.onExit(code, signal));
    (this.process.stderr as Socket | null)?.unref();
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-stderrCharactersMax);
    });
  }

  get pid(): number | null {
    return this.process.pid ?? null;
  }

  get isAlive(): boolean {
    return this.alive;
  }

  async extract(input: ExtractionInput, signal: AbortSignal): Promise<ExtractionOutput> {
    const answer = await this.runGuarded('extract', input, signal);
    if (answer.type !== 'done') throw untrustworthy('it returned a count instead of a document');
    return checkOutput(input, answer.output, this.options.limits);
  }

  async countPages(input: ExtractionInput, signal: AbortSignal): Promise<number | null> {
    const answer = await this.runGuarded('count_pages', input, signal);
    if (answer.type !== 'counted') throw untrustworthy('it returned a document instead of a count');
    return answer.pageCount;
  }

  /** Kills the process. A document that is being read fails as in a crash. */
  kill(): void {
    this.alive = false;
    this.process.kill('SIGKILL');
  }

  /** Kills the process and waits until it has ended. */
  end(): Promise<void> {
    this.process.ref();
    this.kill();
    return this.gone;
  }

  residentBytes(): Promise<number | null> {
    return this.pid === null ? Promise.resolve(null) : residentBytes(this.pid);
  }

  private async holdsMoreThan(bytesMax: number): Promise<boolean> {
    return ((await this.residentBytes()) ?? 0) > bytesMax;
  }

  private runGuarded(task: JobMessage['task'], input: ExtractionInput, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const { deadlineMs, memoryBytesMax } = this.options;
      const stop = (error: unknown): void => {
        run.finish({ error });
        this.kill();
      };
      const onAbort = (): void => stop(signal.reason);
      const deadline = setTimeout(() => stop(deadlineError(input.filename, deadlineMs)), deadlineMs);
      const poll = setInterval(() => {
        void this.holdsMoreThan(memoryBytesMax).then(
          (tooMuch) => tooMuch && run === this.run && stop(memoryError(input.filename, memoryBytesMax)),
        );
      }, memoryPollMs);
      signal.addEventListener('abort', onAbort, { once: true });
      const run: Run = {
        id: ++this.jobs,
        input,
        finish: (result) => {
          if (this.run !== run) return;
          this.run = null;
          clearTimeout(deadline);
          clearInterval(poll);
          signal.removeEventListener('abort', onAbort);
          if ('answer' in result) resolve(result.answer);
          else reject(result.error);
        },
      };
      this.run = run;
      this.process.send({ id: run.id, task, input } satisfies JobMessage, (error) => {
        if (error !== null)
          stop(new ExtractionError('internal', 'The sandbox could not be reached. Try again.', { cause: error }));
      });
    });
  }

  private onMessage(message: ChildMessage | null): void {
    if (message === null || message.type === 'ready' || message.id !== this.run?.id) return;
    if (message.type !== 'failed') this.run.finish({ answer: message });
    else
      this.run.finish({ error: new ExtractionError(message.code, message.message, { retryable: message.retryable }) });
  }

  private onExit(code: number | null, signal: NodeJS.Signals | null, cause?: Error): void {
    this.alive = false;
    this.run?.finish({
      error: crashError({
        filename: this.run.input.filename,
        code,
        signal,
        stderr: this.stderr,
        memoryBytesMax: this.options.memoryBytesMax,
        cause,
      }),
    });
  }
}
