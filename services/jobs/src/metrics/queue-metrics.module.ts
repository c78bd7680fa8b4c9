import { Database } from '@kiln/platform';
import { Module } from '@nestjs/common';
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

/** The metrics of the queue. Part of the API role: these numbers may scale the worker role down to zero. */
@Module({ providers: [measures, QueueMetrics] })
export class QueueMetricsModule {}
