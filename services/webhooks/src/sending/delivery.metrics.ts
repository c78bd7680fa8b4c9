import { Metrics } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { EndpointSlots } from './domain/endpoint-slots.js';
import type { Verdict } from './outcome.store.js';

@Injectable()
export class DeliveryMetrics {
  private readonly attempts;
  private readonly disabledWebhooks;

  constructor(metrics: Metrics, slots: EndpointSlots) {
    this.attempts = metrics.counter('kiln_webhook_attempts_total', 'Attempts by outcome', ['outcome']);
    this.disabledWebhooks = metrics.counter('kiln_webhooks_disabled_total', 'Webhooks that were switched off', [
      'reason',
    ]);
    metrics.gauge('kiln_webhook_deliveries_running', 'Deliveries under way', () => slots.runningCount);
  }

  finished(verdict: Verdict, count: number): void {
    this.attempts.add(count, { outcome: verdict });
  }

  disabled(reason: 'gone' | 'failing'): void {
    this.disabledWebhooks.add(1, { reason });
  }
}
