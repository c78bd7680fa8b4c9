import { Metrics } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { MergeRequests } from './merge-requests.service.js';

const BUCKETS_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];

@Injectable()
export class MergeMetrics {
  private readonly steps;

  constructor(metrics: Metrics, requests: MergeRequests) {
    this.steps = metrics.histogram('kiln_search_merge_seconds', {
      help: 'Time of one step of merging and purging the index of a tenant, by outcome (ok, failed)',
      buckets: BUCKETS_SECONDS,
    });
    metrics.gauge(
      'kiln_search_merges_waiting',
      'Tenants whose index this process will merge next',
      () => requests.waitingCount,
    );
  }

  stepped(outcome: 'ok' | 'failed', milliseconds: number): void {
    this.steps.record(milliseconds / 1_000, { outcome });
  }
}
