import { Metrics } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { EndpointSlots } from './domain/endpoint-slots.js';
import type { Verdict } from './outcome.store.js';

/** An attempt ends after 15 s. */
const BUCKETS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

@Injectable()
export class DeliveryMetrics {
  private readonly attempts;
  private readonly attemptSeconds;
  private readonly disabledWebhooks;

  constructor(metrics: Metrics, slots: EndpointSlots) {
    this.attempts = metrics.counter('kiln_webhook_attempts_total', 'Attempts by outcome', ['outcome']);
    this.attemptSeconds = metrics.histogram('kiln_webhook_attempt_seconds', {
      help: 'Time of an attempt until the endpoint has responded or it was given up, by outcome',
      buckets: BUCKETS_SECONDS,
    });
    this.disabledWebhooks = metrics.counter('kiln_webhooks_disabled_total', 'Webhooks that were switched off', [
      'reason',
    ]);
    metrics.gauge('kiln_webhook_deliveries_running', 'Deliveries under way', () => slots.runningCount);
  }

  finished(verdict: Verdict, count: number): void {
    this.attempts.add(count, { outcome: verdict });
  }

  attempted(verdict: Verdict, milliseconds: number): void {
    this.attemptSeconds.record(milliseconds / 1_000, { outcome: verdict });
  }

  disabled(reason: 'gone' | 'failing'): void {
    this.disabledWebhooks.add(1, { reason });
  }
}
