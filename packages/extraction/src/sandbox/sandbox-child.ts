/**
 * Controls one child process: gives it one document at a time, and kills it when it needs too much memory or time, or breaks its
 * contract. After the process has ended, the object cannot be used again.
 */
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import type { ExtractionInput } from '@kiln/readers/extractor';
import type { ExtractionLimits } from '@kiln/readers/limits';
import { crashError, deadlineError, diskFullError, memoryError } from './child-failure.js';
import { ChildPipe, PipeClosedError } from './child-pipe.js';
import { MessageReader, type Take } from './message-reader.js';
import type { ChildMessage, JobMessage, Task } from './protocol.js';
import { residentBytes } from './resident-memory.js';
import { startChild, workBytesOf, type ChildOptions } from './start-child.js';

const memoryPollMs = 50;
const exitGraceMs = 1000;
const pictureTasks: ReadonlySet<Task['task']> = new Set(['make_thumbnail', 'draw_page']);
/** A page that takes longer to draw has no picture. */
const pictureDeadlineMs = 30_000;
/** The end of standard error is kept, to recognize crashes caused by lack of memory. */
const stderrCharactersMax = 4096;

/** Why the child is killed while it has a document. The first reason counts. */
type Stop = (reason: unknown) => void;

interface Watch {
  /** Begins the deadline anew, because a page was recognized. */
  goOn(): void;
  end(): void;
}

export class SandboxChild extends MessageReader {
  jobs = 0;
  private alive = true;
  private isReady = false;
  private stderr = '';
  private exit: { code: number | null; signal: NodeJS.Signals | null; cause?: Error } = { code: null, signal: null };
  private readonly process: ChildProcess;
  private readonly pipe: ChildPipe;
  private readonly ended: Promise<void>;
  /** Resolves when the process has ended, for whatever reason, and its room is removed or the failed removal is reported. */
  readonly gone: Promise<void>;

  constructor(private readonly options: ChildOptions) {
    super();
    this.process = startChild(options);
    this.pipe = new ChildPipe(this.process.stdio[3] as Readable);
    this.ended = new Promise((resolve) => {
      const onEnd = (exit: typeof this.exit): void => {
        this.alive = false;
        this.exit = exit;
        resolve();
      };
      this.process.once('exit', (code, signal) => onEnd({ code, signal }));
      this.process.once('error', (cause) => onEnd({ code: null, signal: null, cause }));
    });
    this.gone = this.ended.then(() => options.room.remove()).catch(options.onFilesLeft);
    // A job for a child that has just ended.
    this.process.stdin?.on('error', () => undefined);
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-stderrCharactersMax);
    });
  }

  protected get limits(): ExtractionLimits {
    return this.options.limits;
  }

  get pid(): number | null {
    return this.process.pid ?? null;
  }

  get owner(): string {
    return this.options.owner;
  }

  get isAlive(): boolean {
    return this.alive;
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

  /** Runs one job under the deadline, the memory limit and the caller's signal. Each of them kills the child. */
  protected async exchange<Result>(
    task: Task,
    input: ExtractionInput,
    signal: AbortSignal,
    take: Take<Result>,
  ): Promise<Result> {
    const { room } = this.options;
    await room.place(input.path);
    const stop = new AbortController();
    const deadlineMs = Math.min(
      this.options.deadlineMs,
      pictureTasks.has(task.task) ? pictureDeadlineMs : Number.POSITIVE_INFINITY,
    );
    const watch = this.watch({ filename: input.filename, deadlineMs }, signal, (reason) => {
      stop.abort(reason);
      this.kill();
    });
    try {
      const answer = await this.answer(task, input, stop.signal, () => watch.goOn());
      return await take(answer, this.pipe, stop.signal);
    } catch (error) {
      throw await this.reasonOf(error, input.filename, stop.signal);
    } finally {
      watch.end();
      await room.clear();
    }
  }

  private async answer(
    task: Task,
    input: ExtractionInput,
    stopped: AbortSignal,
    goOn: () => void,
  ): Promise<ChildMessage> {
    const job: JobMessage = { ...task, filename: input.filename, contentType: input.contentType };
    this.jobs++;
    this.process.stdin?.write(`${JSON.stringify(job)}\n`);
    if (!this.isReady) this.isReady = (await this.pipe.message(stopped)).type === 'ready';
    let answer = await this.pipe.message(stopped);
    for (; answer.type === 'recognized'; answer = await this.pipe.message(stopped)) goOn();
    if (answer.type !== 'failed') return answer;
    throw new FailedInChild(new ExtractionError(answer.code, answer.message, { retryable: answer.retryable }));
  }

  private watch(
    { filename, deadlineMs }: { filename: string; deadlineMs: number },
    signal: AbortSignal,
    stop: Stop,
  ): Watch {
    const { memoryBytesMax, limits } = this.options;
    const lastAt = performance.now() + deadlineMs + limits.ocrMillisecondsMax;
    const onAbort = (): void => stop(signal.reason);
    const startDeadline = (milliseconds: number): NodeJS.Timeout =>
      setTimeout(() => stop(deadlineError(filename, deadlineMs)), milliseconds);
    let deadline = startDeadline(deadlineMs);
    let isWatching = true;
    const pollMemory = async (): Promise<void> => {
      const bytes = await this.residentBytes();
      if (isWatching && (bytes ?? 0) > memoryBytesMax) stop(memoryError(filename, memoryBytesMax));
    };
    const poll = setInterval(() => void pollMemory(), memoryPollMs);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    return {
      goOn: () => {
        const leftMs = lastAt - performance.now();
        // Otherwise many messages could put off the last deadline.
        if (leftMs <= 0) return;
        clearTimeout(deadline);
        deadline = startDeadline(Math.min(deadlineMs, leftMs));
      },
      end: () => {
        isWatching = false;
        clearTimeout(deadline);
        clearInterval(poll);
        signal.removeEventListener('abort', onAbort);
      },
    };
  }

  /** What the owner of the document learns. Everything but an error that the child reported itself ends the child. */
  private async reasonOf(thrown: unknown, filename: string, stopped: AbortSignal): Promise<unknown> {
    if (thrown instanceof FailedInChild) {
      return (await this.hasFullDisk(thrown.reported)) ? diskFullError(thrown.reported) : thrown.reported;
    }
    if (stopped.aborted) return stopped.reason;
    if (!(thrown instanceof PipeClosedError)) {
      this.kill();
      return thrown;
    }
    // The process ends just after its pipe.
    await Promise.race([this.ended, wait(exitGraceMs, undefined, { ref: false })]);
    await this.end();
    const { memoryBytesMax } = this.options;
    return crashError({ filename, ...this.exit, wasReady: this.isReady, stderr: this.stderr, memoryBytesMax });
  }

  /**
   * Whether the child failed because the disk of its room is full, which every other document would meet. What a child says of its machine
   * is not trusted. What it has written itself does not count: its room is removed before the last look.
   */
  private async hasFullDisk({ code }: ExtractionError): Promise<boolean> {
    const { level, room, limits } = this.options;
    if (code !== 'internal' || level !== 'process_only') return false;
    const bytes = workBytesOf(limits);
    if (await room.hasSpace(bytes)) return false;
    await this.end();
    return !(await room.hasSpace(bytes));
  }
}

/** An error that the child reported, and that leaves it usable. */
class FailedInChild extends Error {
  constructor(readonly reported: ExtractionError) {
    super();
  }
}
