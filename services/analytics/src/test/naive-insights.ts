// The answers of the endpoints, computed from all events at once, without rollups. The randomized spec compares the service with them.
import { formatTimestamp, fileStatuses, jobErrorCodes, extractionProviders } from '@kiln/contracts';
import type { Completed, Failed, FileDeleted, FilesChanged, Retried } from '../facts/facts-of-events.service.js';
import type { SimulatedEvents } from './simulated-events.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type FileState = Omit<FilesChanged['data']['files'][number], 'version'>;
type Outcome =
  | { kind: 'completed'; event: Completed }
  | { kind: 'failed'; event: Failed }
  | { kind: 'retried'; event: Retried };

const sum = <Item>(items: readonly Item[], value: (item: Item) => number) =>
  items.reduce((total, item) => total + value(item), 0);
const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
const dayOf = (time: string) => time.slice(0, 10);
const hourOf = (time: string) => time.slice(0, 13);

function groups<Item>(items: readonly Item[], key: (item: Item) => string): [string, Item[]][] {
  const byKey = new Map<string, Item[]>();
  for (const item of items) {
    const group = byKey.get(key(item));
    if (group) group.push(item);
    else byKey.set(key(item), [item]);
  }
  return [...byKey];
}

/** Of the runs that completed, ascending. */
const durations = (outcomes: readonly Outcome[]) =>
  outcomes
    .flatMap((outcome) => (outcome.kind === 'completed' ? [outcome.event.data.duration_ms] : []))
    .toSorted((a, b) => a - b);

export class NaiveInsights {
  private readonly files: FileState[];
  private readonly deletions: FileDeleted[];
  private readonly outcomes: Outcome[];
  /** The newest outcome of each job whose file exists. */
  private readonly latest: Outcome[];
  private readonly connections: number;

  constructor(
    events: SimulatedEvents,
    tenantId: string,
    private readonly now: Date,
  ) {
    const of = <Event extends { tenantid: string }>(all: Event[]) =>
      all.filter(({ tenantid }) => tenantid === tenantId);
    this.deletions = of(events.deleted);
    const deleted = new Set(this.deletions.map(({ data }) => data.file_id));
    const newest = new Map<string, FilesChanged['data']['files'][number]>();
    const created = of(events.created).map(({ data: { job_id, ...file }, time }) => ({
      ...file,
      version: 0,
      jobs: job_id === null ? 0 : 1,
      variants: 0,
      created_at: time,
    }));
    for (const file of [...created, ...of(events.changed).flatMap(({ data }) => data.files)]) {
      if (file.version > (newest.get(file.file_id)?.version ?? -1)) newest.set(file.file_id, file);
    }
    this.files = [...newest.values()].filter(({ file_id }) => !deleted.has(file_id));
    this.outcomes = [
      ...of(events.completed).map((event) => ({ kind: 'completed' as const, event })),
      ...of(events.failed).map((event) => ({ kind: 'failed' as const, event })),
      ...of(events.retried).map((event) => ({ kind: 'retried' as const, event })),
    ];
    this.latest = groups(this.outcomes, ({ event }) => event.data.job_id)
      .map(([, ofJob]) => ofJob.reduce((one, other) => (other.event.data.fence > one.event.data.fence ? other : one)))
      .filter(({ event }) => !deleted.has(event.data.file_id));
    const gone = new Set(of(events.disconnected).map(({ data }) => data.connection_id));
    this.connections = of(events.connected).filter(({ data }) => !gone.has(data.connection_id)).length;
  }

  overview() {
    const completed = this.latest.filter(({ kind }) => kind === 'completed').length;
    const failed = this.latest.filter(({ kind }) => kind === 'failed').length;
    return {
      total_files: this.files.length,
      total_jobs: sum(this.files, ({ jobs }) => jobs),
      total_variants: sum(this.files, ({ variants }) => variants),
      total_connections: this.connections,
      success_rate: share(completed, completed + failed),
      files_by_status: Object.fromEntries(
        fileStatuses.map((status) => [status, this.files.filter((file) => file.status === status).length]),
      ),
    };
  }

  fileTypes() {
    const types = groups(this.files, ({ content_type }) => content_type ?? 'application/octet-stream');
    return types.map(([content_type, files]) => ({
      content_type,
      count: files.length,
      total_bytes: sum(files, ({ size_bytes }) => size_bytes ?? 0),
    }));
  }

  spaces() {
    return groups(this.files, ({ space }) => space).map(([space, files]) => {
      const completed = files.filter(({ status }) => status === 'completed').length;
      const failed = files.filter(({ status }) => status === 'failed').length;
      const health_score = Math.floor((100 * (files.length - failed)) / files.length);
      return {
        space,
        file_count: files.length,
        completed,
        failed,
        success_rate: share(completed, completed + failed),
        health_score,
      };
    });
  }

  failures(limit: number) {
    return this.latest
      .flatMap((outcome) => (outcome.kind === 'failed' ? [outcome.event] : []))
      .toSorted((a, b) => (a.time === b.time ? (a.data.job_id < b.data.job_id ? 1 : -1) : a.time < b.time ? 1 : -1))
      .slice(0, limit)
      .map(({ time, data: { job_id, file_id, filename, provider, error } }) => ({
        job_id,
        file_id,
        filename,
        provider,
        reason: error.code,
        message: error.message,
        failed_at: formatTimestamp(new Date(time)),
      }));
  }

  topFailures() {
    const failed = this.outcomes.flatMap((outcome) => (outcome.kind === 'failed' ? [outcome.event] : []));
    return jobErrorCodes.flatMap((reason) => {
      const events = failed.filter(({ data }) => data.error.code === reason);
      if (events.length === 0) return [];
      const last =
        events
          .map(({ time }) => time)
          .toSorted()
          .at(-1) ?? '';
      return [{ reason, count: events.length, last_seen: formatTimestamp(new Date(last)) }];
    });
  }

  volume(days: number) {
    const on = this.activity(dayOf);
    return this.lastDays(days).map((date) => ({ date, ...on(date) }));
  }

  /** The hours in which something happened. */
  hours() {
    const ended = this.outcomes.filter(({ kind }) => kind !== 'retried');
    const times = [...this.uploads.map(({ created_at }) => created_at), ...ended.map(({ event }) => event.time)];
    const during = this.activity(hourOf);
    return [...new Set(times.map(hourOf))].toSorted().map((hour) => ({ hour, ...during(hour) }));
  }

  storageGrowth(days: number) {
    const changes = [
      ...this.uploads.map(({ created_at, size_bytes }) => ({ day: dayOf(created_at), bytes: size_bytes ?? 0 })),
      ...this.deletions.map(({ time, data }) => ({ day: dayOf(time), bytes: -(data.size_bytes ?? 0) })),
    ];
    const changesOf = new Map(groups(changes, ({ day }) => day));
    const first = this.lastDays(days)[0] ?? '';
    let total = sum(changes, ({ day, bytes }) => (day < first ? bytes : 0));
    return this.lastDays(days).map((date) => {
      const delta = sum(changesOf.get(date) ?? [], ({ bytes }) => bytes);
      total += delta;
      return { date, total_bytes: total, delta_bytes: delta };
    });
  }

  /** Completed durations in the window, sorted, and totals by provider. */
  window(days: number) {
    const since = Math.floor((this.now.getTime() - days * DAY_MS) / HOUR_MS) * HOUR_MS;
    const inWindow = this.outcomes.filter(({ event }) => Date.parse(event.time) >= since);
    const providers = extractionProviders.flatMap((provider) => {
      const ofProvider = inWindow.filter(({ kind, event }) => kind !== 'retried' && event.data.provider === provider);
      if (ofProvider.length === 0) return [];
      const completed = durations(ofProvider);
      const avg = completed.length === 0 ? 0 : sum(completed, (duration) => duration) / completed.length;
      return [{ provider, completed: completed.length, failed: ofProvider.length - completed.length, avg }];
    });
    return { durations: durations(inWindow), providers };
  }

  /** The durations of the runs that completed on each day. */
  dailyTimes(days: number) {
    return this.lastDays(days).map((date) => ({
      date,
      durations: durations(this.outcomes.filter(({ event }) => dayOf(event.time) === date)),
    }));
  }

  private activity(periodOf: (time: string) => string) {
    const uploadsOf = new Map(groups(this.uploads, ({ created_at }) => periodOf(created_at)));
    const endedOf = new Map(groups(this.outcomes, ({ kind, event }) => `${kind} ${periodOf(event.time)}`));
    return (period: string) => {
      const uploads = uploadsOf.get(period) ?? [];
      return {
        uploads: uploads.length,
        uploaded_bytes: sum(uploads, ({ size_bytes }) => size_bytes ?? 0),
        processed: endedOf.get(`completed ${period}`)?.length ?? 0,
        failed: endedOf.get(`failed ${period}`)?.length ?? 0,
      };
    };
  }

  /** All files that were ever added. */
  private get uploads(): Pick<FileState, 'created_at' | 'size_bytes'>[] {
    return [...this.files, ...this.deletions.map(({ data }) => data)];
  }

  private lastDays(days: number): string[] {
    const at = (ago: number) => new Date(this.now.getTime() - ago * DAY_MS).toISOString();
    return Array.from({ length: days }, (_, index) => dayOf(at(days - 1 - index)));
  }
}
