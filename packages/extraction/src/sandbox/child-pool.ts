import { tmpdir } from 'node:os';
import type {
  ExtractionInput,
  ExtractionOutput,
  PageImage,
  PageToDraw,
  StatedProperties,
} from '@kiln/readers/extractor';
import { ExtractionError, unsupportedType } from '@kiln/pdf/extraction-error';
import { defaultLimits, type ExtractionLimits } from '@kiln/readers/limits';
import { defaultOcr } from '@kiln/ocr/ocr-settings';
import { FairSlots } from '@kiln/resilience';
import { assertIsolated, findIsolation, type Isolation, type IsolationDemand } from './isolation.js';
import { Room } from './room.js';
import { SandboxChild } from './sandbox-child.js';
import type { Sandbox, SandboxOptions, SandboxStats } from './sandbox-options.js';
import type { ChildOptions } from './start-child.js';

const defaults = { memoryBytesMax: 1024 ** 3, deadlineMs: 120_000, maxJobsPerProcess: 1_000, idleShutdownMs: 60_000 };
/** A child that still uses more than this share of its memory limit after a document is replaced. */
const keptMemoryShareMax = 0.4;

type Work<Result> = (child: SandboxChild, input: ExtractionInput, signal: AbortSignal) => Promise<Result>;

/** Assigns documents to free children. Starts children when they are needed, and ends idle ones. */
export class ChildPool implements Sandbox {
  readonly name = 'local';
  readonly supports: (contentType: string) => boolean;
  private readonly options: Required<Pick<SandboxOptions, 'processes' | keyof typeof defaults>>;
  private readonly limits: ExtractionLimits;
  private readonly ocr: ChildOptions['ocr'];
  private readonly module: URL;
  private readonly idle: { child: SandboxChild; timer: NodeJS.Timeout }[] = [];
  private readonly children = new Set<SandboxChild>();
  private readonly slots: FairSlots;
  private readonly running = new Set<Promise<unknown>>();
  private readonly closing = new AbortController();
  private readonly counts = { started: 0, completed: 0, failed: 0 };
  private readonly demand: IsolationDemand;
  private readonly directory: string;
  private readonly find: typeof findIsolation;
  private readonly onFilesLeft: (error: unknown) => void;
  private isolation: Isolation | null = null;
  private finding: Promise<Isolation> | null = null;

  constructor(options: SandboxOptions, module: URL, supports: (contentType: string) => boolean, find = findIsolation) {
    const { processes, memoryBytesMax, deadlineMs, maxJobsPerProcess, idleShutdownMs } = {
      ...defaults,
      ...withoutUndefined(options),
    };
    if (!Number.isInteger(processes) || processes < 1) throw new RangeError('A sandbox needs at least one process.');
    this.options = { processes, memoryBytesMax, deadlineMs, maxJobsPerProcess, idleShutdownMs };
    this.limits = {
      ...defaultLimits,
      ...(options.maxInputBytes === undefined
        ? {}
        : {
            inputBytesMax: options.maxInputBytes,
            textBytesMax: Math.min(options.maxInputBytes, defaultLimits.textBytesMax),
          }),
      ...(options.maxOutputBytes === undefined ? {} : { outputBytesMax: options.maxOutputBytes }),
      ...withoutUndefined(options.limits ?? {}),
    };
    this.ocr = { languages: options.ocrLanguages ?? defaultOcr.languages, dataDirectory: options.ocrDataDirectory };
    this.demand = options.isolation ?? 'required';
    this.directory = options.directory ?? tmpdir();
    this.find = find;
    this.onFilesLeft = options.onFilesLeft ?? (() => undefined);
    this.slots = new FairSlots(processes);
    this.module = module;
    this.supports = supports;
  }

  extract(input: ExtractionInput, signal: AbortSignal): Promise<ExtractionOutput> {
    return this.inSlot(input, signal, (child, document, stop) => child.extract(document, stop));
  }

  countPages(input: ExtractionInput, signal: AbortSignal): Promise<number | null> {
    return this.inSlot(input, signal, (child, document, stop) => child.countPages(document, stop));
  }

  makeThumbnail(input: ExtractionInput, signal: AbortSignal): Promise<Buffer | null> {
    return this.inSlot(input, signal, (child, document, stop) => child.makeThumbnail(document, stop));
  }

  readProperties(input: ExtractionInput, signal: AbortSignal): Promise<StatedProperties | null> {
    return this.inSlot(input, signal, (child, document, stop) => child.readProperties(document, stop));
  }

  drawPage(input: ExtractionInput, place: PageToDraw, signal: AbortSignal): Promise<PageImage> {
    return this.inSlot(input, signal, (child, document, stop) => child.drawPage(document, place, stop));
  }

  stats(): SandboxStats {
    return {
      isolation: this.isolation?.level ?? null,
      processes: this.children.size,
      busy: this.slots.busy,
      waiting: this.slots.waiting,
      ...this.counts,
    };
  }

  async checkIsolation(): Promise<Isolation> {
    this.finding ??= this.find(this.module, this.directory);
    this.isolation = await this.finding;
    assertIsolated(this.isolation, this.demand);
    return this.isolation;
  }

  pids(): number[] {
    return [...this.children].flatMap((child) => child.pid ?? []);
  }

  async close(): Promise<void> {
    this.closing.abort(new ExtractionError('unavailable', 'The service is stopping. Try again.'));
    await Promise.allSettled(this.running);
    for (const { timer } of this.idle.splice(0)) clearTimeout(timer);
    await Promise.all([...this.children].map((child) => child.end()));
  }

  private async inSlot<Result>(input: ExtractionInput, signal: AbortSignal, work: Work<Result>): Promise<Result> {
    if (!this.supports(input.contentType)) throw unsupportedType(input.filename, input.contentType);
    const stop = AbortSignal.any([signal, this.closing.signal]);
    stop.throwIfAborted();
    const { owner = '', ...document } = input;
    await this.slots.take(owner, stop);
    const run = this.onChild(owner, (child) => work(child, document, stop));
    this.running.add(run);
    try {
      const output = await run;
      this.counts.completed++;
      return output;
    } catch (error) {
      this.counts.failed++;
      throw error;
    } finally {
      this.running.delete(run);
      this.slots.free(owner);
    }
  }

  private async onChild<Result>(owner: string, work: (child: SandboxChild) => Promise<Result>): Promise<Result> {
    const child = this.takeIdle(owner) ?? (await this.start(owner));
    try {
      return await work(child);
    } finally {
      await this.putBack(child);
    }
  }

  /**
   * A child reads documents of one owner only, because a document that has taken it over could read the next ones. Where there is none
   * of this owner, and no room for a further one, the child that has been idle for longest is ended.
   */
  private takeIdle(owner: string): SandboxChild | null {
    for (let at = this.idle.length - 1; at >= 0; at--) {
      const { child, timer } = this.idle[at] ?? {};
      if (child === undefined || (child.isAlive && child.owner !== owner)) continue;
      this.idle.splice(at, 1);
      clearTimeout(timer);
      if (child.isAlive) return child;
    }
    if (this.idle.length + this.slots.busy > this.options.processes) {
      const oldest = this.idle.shift();
      clearTimeout(oldest?.timer);
      oldest?.child.kill();
    }
    return null;
  }

  private async start(owner: string): Promise<SandboxChild> {
    const { level } = await this.checkIsolation();
    const { memoryBytesMax, deadlineMs } = this.options;
    const { limits, module, ocr, onFilesLeft } = this;
    const room = await Room.open(this.directory);
    const options = { owner, module, level, limits, ocr, memoryBytesMax, deadlineMs, onFilesLeft };
    const child = await this.startIn(room, options);
    this.children.add(child);
    this.counts.started++;
    void child.gone.then(() => this.children.delete(child));
    return child;
  }

  private async startIn(room: Room, options: Omit<ChildOptions, 'room'>): Promise<SandboxChild> {
    try {
      return new SandboxChild({ ...options, room });
    } catch (error) {
      await room.remove();
      throw error;
    }
  }

  private async putBack(child: SandboxChild): Promise<void> {
    const kept = child.isAlive ? await child.residentBytes() : null;
    const worn =
      child.jobs >= this.options.maxJobsPerProcess ||
      kept === null ||
      kept > this.options.memoryBytesMax * keptMemoryShareMax;
    if (worn || !child.isAlive || this.closing.signal.aborted) {
      child.kill();
      return;
    }
    const timer = setTimeout(() => {
      this.idle.splice(
        this.idle.findIndex((entry) => entry.child === child),
        1,
      );
      child.kill();
    }, this.options.idleShutdownMs);
    timer.unref();
    this.idle.push({ child, timer });
  }
}

function withoutUndefined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
