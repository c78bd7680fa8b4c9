// Real: Postgres. Faked: nothing. A row that the database refuses is an outcome with a number that exceeds its column.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import type { ClaimedDelivery } from './claim.store.js';
import type { Outcome } from './outcome.store.js';
import { silentLogger } from '../test/test-worker.js';
import { fileCompleted, only, startWebhooks, type WebhooksHarness } from '../test/webhooks-harness.js';
import { OutcomeWriter } from './outcome-writer.service.js';

function outcomeOf({ tenant_id, webhook_id, id, attempt }: ClaimedDelivery, more: Partial<Outcome> = {}): Outcome {
  const key = { tenant_id, webhook_id, delivery_id: id, attempt };
  return { ...key, verdict: 'delivered', attempted: true, attempted_at_ms: Date.now(), status_code: 204, ...more };
}

describe('outcomes that are written together', () => {
  let kiln: WebhooksHarness;
  beforeAll(async () => {
    kiln = await startWebhooks();
  });
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

  async function claimed(count: number): Promise<ClaimedDelivery[]> {
    for (let index = 0; index < count; index++) {
      const tenantId = uuidv7();
      await kiln.create(tenantId, 'http://127.0.0.1:9/');
      await kiln.happen(fileCompleted(tenantId));
    }
    return kiln.claimAll();
  }

  it('are all written but the one that the database refuses, which stays queued', async () => {
    const deliveries = await claimed(9);
    const finished: string[] = [];
    const metrics = {
      finished: (verdict: string, count: number) => void finished.push(...Array.from({ length: count }, () => verdict)),
      attempted: () => {},
      disabled: () => {},
    };
    const writer = new OutcomeWriter(kiln.database, kiln.outcomes, metrics, silentLogger);
    for (const [index, delivery] of deliveries.entries()) {
      const outcome = outcomeOf(delivery, index === 4 ? { status_code: 3_000_000_000 } : {});
      writer.push({ outcome, goneVersion: null });
    }
    await eventually(() => finished.length === 8);
    await writer.stop();
    expect(writer.waitingCount).toBe(0);
    const left = only(await kiln.sql<{ id: string }>('select id from queued_deliveries'));
    expect(left.id).toBe(deliveries[4]?.id);
  });

  it('count once, however often they are written', async () => {
    const outcome = outcomeOf(only(await claimed(1)), { verdict: 'retry', status_code: 500, retry_in_ms: 60_000 });
    expect((await kiln.outcomes.record([outcome])).overtaken.size).toBe(0);
    expect((await kiln.outcomes.record([outcome])).overtaken.size).toBe(1);
    expect(only(await kiln.sql<{ failures: number }>('select failures from queued_deliveries')).failures).toBe(1);
  });
});
