// Exports the last measurement of the queue on /metrics, and keeps it current. Every process exports the same numbers: aggregate them by
// max, never by sum.
import { Metrics, PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { QueueMeasureStore, type QueueMeasure } from './queue-measure.store.js';

export const MEASURE_INTERVAL_SECONDS = 10;
/** The maximum value of the gauge of due jobs. Autoscaling needs no higher one. */
export const COUNTED_JOBS_MAX = 100_000;
export const COMMIT_SECONDS = 15;

/** They are exported as 0 when there are no jobs. So a missing value means that the value is unknown. */
const TENANT_CLASSES = ['live', 'test'] as const;
/** The metrics of one scrape share a read. */
const READ_SHARED_MS = 1_000;

@Injectable()
export class QueueMetrics {
  private readonly loop: PollingLoop;
  private readAt = -Infinity;
  private last: Promise<QueueMeasure | null> = Promise.resolve(null);

  constructor(
    private readonly measures: QueueMeasureStore,
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const round = async () => {
      await measures.measure();
      return false;
    };
    this.loop = new PollingLoop({ name: 'queue metrics', pollMs: MEASURE_INTERVAL_SECONDS * 1_000, logger, round });
    this.show(metrics);
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  private show(metrics: Metrics): void {
    const sample =
      <Row>(rows: (measure: QueueMeasure) => Row[]) =>
      async () => {
        const measure = await this.read();
        return measure ? rows(measure) : [];
      };
    metrics.sampledGauge('kiln_jobs_queued', {
      help: `Due jobs that wait for a worker, counted up to ${COUNTED_JOBS_MAX}`,
      labelNames: ['tenant_class'],
      read: sample(({ queued }) => queued.map(({ jobs, tenant_class }) => ({ labels: { tenant_class }, value: jobs }))),
    });
    metrics.sampledGauge('kiln_jobs_oldest_queued_seconds', {
      help: 'How long the oldest due job has waited for a worker',
      labelNames: ['tenant_class'],
      read: sample(({ queued }) =>
        queued.map(({ oldest_seconds: value, tenant_class }) => ({ labels: { tenant_class }, value })),
      ),
    });
    metrics.sampledGauge('kiln_jobs_processing', {
      help: 'Jobs that workers hold',
      labelNames: ['tenant_class', 'provider'],
      read: sample(({ processing }) => [
        ...TENANT_CLASSES.map((tenant_class) => ({ labels: { tenant_class, provider: 'none' }, value: 0 })),
        ...processing.map(({ jobs: value, ...labels }) => ({ labels, value })),
      ]),
    });
    metrics.sampledCounter('kiln_job_runs_total', {
      help: 'Runs of jobs that have ended, by outcome: completed, failed, interrupted or cancelled',
      labelNames: ['tenant_class', 'provider', 'outcome'],
      read: sample(({ ended }) => ended.map(({ runs: value, ...labels }) => ({ labels, value }))),
    });
    metrics.sampledGauge('kiln_jobs_measure_age_seconds', {
      help: 'Age of the last measurement of the queue, which one process takes for all',
      labelNames: [],
      read: sample(({ age_seconds: value }) => [{ labels: {}, value }]),
    });
  }

  /** Null while the database is unavailable: a missing metric is better than an outdated one. */
  private read(): Promise<QueueMeasure | null> {
    if (performance.now() - this.readAt < READ_SHARED_MS) return this.last;
    this.readAt = performance.now();
    this.last = this.measures.read().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'Reading the queue measurement failed');
      return null;
    });
    return this.last;
  }
}
