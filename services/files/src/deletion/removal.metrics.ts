import { Metrics } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { RemovalStore } from './removal.store.js';

export interface RemovalCounters {
  objects: { add(count: number): void };
  bytes: { add(count: number): void };
}

@Injectable()
export class RemovalMetrics implements RemovalCounters {
  readonly objects: RemovalCounters['objects'];
  readonly bytes: RemovalCounters['bytes'];

  constructor(metrics: Metrics, removals: RemovalStore) {
    this.objects = metrics.counter(
      'kiln_objects_removed_total',
      'Objects removed from storage for deleted or orphaned files',
    );
    this.bytes = metrics.counter('kiln_removed_bytes_total', 'Bytes of the objects removed from storage');
    metrics.gauges(
      [
        { name: 'kiln_object_removals_due', help: 'Files whose objects are due to be removed from storage' },
        { name: 'kiln_object_removals_oldest_seconds', help: 'Age of the oldest removal that waits' },
      ],
      async () => {
        const { due, oldestSeconds } = await removals.waiting();
        return {
          kiln_object_removals_due: [{ labels: {}, value: due }],
          kiln_object_removals_oldest_seconds: [{ labels: {}, value: oldestSeconds }],
        };
      },
    );
  }
}
