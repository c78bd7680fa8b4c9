import { Database, Metrics, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { QueueMeasureStore } from './queue-measure.store.js';
import { COMMIT_SECONDS, COUNTED_JOBS_MAX, MEASURE_INTERVAL_SECONDS, QueueMetrics } from './queue.metrics.js';

const measures = {
  provide: QueueMeasureStore,
  inject: [Database],
  useFactory: (database: Database) =>
    new QueueMeasureStore(database, {
      intervalSeconds: MEASURE_INTERVAL_SECONDS,
      countedMax: COUNTED_JOBS_MAX,
      commitSeconds: COMMIT_SECONDS,
    }),
};
const metrics = {
  provide: QueueMetrics,
  inject: [QueueMeasureStore, Metrics, LOGGER],
  useFactory: (store: QueueMeasureStore, shown: Metrics, logger: Logger) => new QueueMetrics(store, shown, logger),
};

/** The metrics of the queue. Part of the API role: these numbers may scale the worker role down to zero. */
@Module({ providers: [measures, metrics] })
export class QueueMetricsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly metrics: QueueMetrics) {}

  onApplicationBootstrap(): void {
    this.metrics.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.metrics.stop();
  }
}
