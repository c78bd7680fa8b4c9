// Random histories of files, and the events that announce them.
import {
  encodeId,
  connectionsEvents,
  extractionProviders,
  fileStatuses,
  filesEvents,
  jobErrorCodes,
  jobsEvents,
  unknownLabels,
  type CloudEvent,
} from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import type {
  Completed,
  ConnectionEvent,
  Failed,
  FileCreated,
  FileDeleted,
  FilesChanged,
  Retried,
} from '../facts/facts-of-events.service.js';
import { eventOf } from './analytics-harness.js';

export interface SimulatedEvents {
  created: FileCreated[];
  changed: FilesChanged[];
  deleted: FileDeleted[];
  completed: Completed[];
  failed: Failed[];
  retried: Retried[];
  connected: ConnectionEvent[];
  disconnected: ConnectionEvent[];
}

type FileState = FilesChanged['data']['files'][number];
type KnownState = Pick<FileState, 'file_id' | 'space' | 'content_type' | 'size_bytes' | 'created_at'>;

const DAY_MS = 86_400_000;
const TYPES = ['application/pdf', 'text/markdown', 'image/png', 'audio/mpeg', null];

/** A repeatable sequence of numbers from 0 to 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export class Simulation {
  readonly events: SimulatedEvents = {
    created: [],
    changed: [],
    deleted: [],
    completed: [],
    failed: [],
    retried: [],
    connected: [],
    disconnected: [],
  };
  private version = 0;

  constructor(
    private readonly random: () => number,
    private readonly now: Date,
  ) {}

  private below = (limit: number) => Math.floor(this.random() * limit);
  private oneOf = <Value>(values: readonly Value[]) => values[this.below(values.length)] as Value;
  private chance = (probability: number) => this.random() < probability;
  private daysAgo = (days: number) => new Date(this.now.getTime() - Math.floor(this.random() * days * DAY_MS));
  /** Some hours later, but not in the future. */
  private after = (time: Date) => new Date(Math.min(this.now.getTime(), time.getTime() + this.below(3 * DAY_MS)));

  /** Simulates a file from its upload to the end of its jobs. */
  addFile(tenantId: string): void {
    const file = {
      file_id: encodeId('file', uuidv7()),
      space: `space-${this.below(7)}`,
      content_type: this.oneOf(TYPES),
      created_at: this.daysAgo(60).toISOString(),
    };
    let size: number | null = this.chance(0.2) ? null : this.below(1_000_000);
    this.create(tenantId, { ...file, size_bytes: size });
    for (let state = this.below(4); state > 0; state--) {
      size ??= this.chance(0.7) ? this.below(1_000_000) : null;
      this.announce(tenantId, { ...file, size_bytes: size });
    }
    for (let job = this.below(3); job > 0; job--) this.runJob(tenantId, file);
    if (!this.chance(0.25)) return;
    const { file_id, space, content_type, created_at } = file;
    const facts = { ...unknownLabels, file_id, space, content_type, created_at };
    const data = { ...facts, job_id: null, filename: 'a.pdf', size_bytes: size };
    this.events.deleted.push(eventOf(filesEvents.fileDeleted, tenantId, data, this.after(new Date(created_at))));
  }

  addConnection(tenantId: string): void {
    const data = { connection_id: encodeId('connection', uuidv7()) };
    this.events.connected.push(eventOf(connectionsEvents.connectionCreated, tenantId, data));
    if (this.chance(0.4)) this.events.disconnected.push(eventOf(connectionsEvents.connectionDeleted, tenantId, data));
  }

  private create(tenantId: string, { created_at, ...file }: KnownState) {
    const job_id = this.chance(0.8) ? encodeId('job', uuidv7()) : null;
    const labelled = { ...unknownLabels, ...file };
    const data = { ...labelled, job_id, filename: 'a.pdf', status: this.oneOf(['uploading', 'uploaded'] as const) };
    this.events.created.push(eventOf(filesEvents.fileCreated, tenantId, data, new Date(created_at)));
  }

  private announce(tenantId: string, file: KnownState) {
    const state: FileState = {
      ...file,
      version: ++this.version,
      status: this.oneOf(fileStatuses),
      jobs: this.below(3),
      variants: this.below(5),
    };
    // Sometimes two states of a file arrive in one event.
    const last = this.events.changed.at(-1);
    if (last?.data.files.at(-1)?.file_id === file.file_id && this.chance(0.2)) last.data.files.push(state);
    else this.events.changed.push(eventOf(filesEvents.filesChanged, tenantId, { files: [state] }));
  }

  /** Simulates the outcomes of a job: failures and retries, and in some cases a completion. */
  private runJob(tenantId: string, { file_id, space, content_type, created_at }: Omit<KnownState, 'size_bytes'>) {
    const job = { file_id, job_id: encodeId('job', uuidv7()) };
    let time = this.after(new Date(created_at));
    for (let fence = 1; ; fence += 2) {
      const provider = this.chance(0.1) ? null : this.oneOf(extractionProviders);
      const about = { ...job, space, filename: 'a.pdf', content_type, ...unknownLabels };
      const outcome = { ...about, provider, variants: [], fence };
      if (this.chance(0.7)) {
        // Log-normal, around 400 ms.
        const duration_ms = Math.round(Math.exp(6 + 1.2 * this.normal()));
        this.events.completed.push(
          eventOf(jobsEvents.processingCompleted, tenantId, { ...outcome, duration_ms }, time),
        );
        return;
      }
      const error = { code: this.oneOf(jobErrorCodes), message: `run ${fence}`, retryable: false };
      this.events.failed.push(eventOf(jobsEvents.processingFailed, tenantId, { ...outcome, error }, time));
      if (this.chance(0.5)) return;
      time = this.after(time);
      this.events.retried.push(eventOf(jobsEvents.jobRetried, tenantId, { ...job, fence: fence + 1 }, time));
      if (this.chance(0.3)) return;
      time = this.after(time);
    }
  }

  private normal = () => Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random());

  /** Returns the events as a broker may deliver them: in any order, some of them twice. */
  delivered<Event extends CloudEvent>(events: readonly Event[]): Event[] {
    const all = [...events, ...events.filter(() => this.chance(0.1))];
    for (let index = all.length - 1; index > 0; index--) {
      const other = this.below(index + 1);
      [all[index], all[other]] = [all[other] as Event, all[index] as Event];
    }
    return all;
  }
}
