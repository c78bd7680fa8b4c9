// Real: Postgres. Faked: nothing; a row that the database refuses is an outcome with a number beyond its column.
import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import type { ClaimedDelivery } from '../store/claim.store.js';
import type { Outcome } from '../store/outcome.store.js';
import { silentLogger } from '../test/test-worker.js';
import { fileCompleted, only, startWebhooks, type WebhooksHarness } from '../test/webhooks-harness.js';
import { OutcomeWriter } from './outcome-writer.js';

function outcomeOf({ tenant_id, webhook_id, id, attempt }: ClaimedDelivery, more: Partial<Outcome> = {}): Outcome {
  const key = { tenant_id, webhook_id, delivery_id: id, attempt };
  return { ...key, verdict: 'delivered', attempted: true, attempted_at_ms: Date.now(), status_code: 204, ...more };
}

describe('outcomes that are written together', () => {
  let kiln: WebhooksHarness;
  before(async () => {
    kiln = await startWebhooks();
  });
  afterEach(() => kiln.clear());
  after(() => kiln.close());

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
    const settled: string[] = [];
    const writer = new OutcomeWriter({
      database: kiln.database,
      outcomes: kiln.outcomes,
      logger: silentLogger,
      onSettled: (verdict, count) => void settled.push(...Array.from({ length: count }, () => verdict)),
      onDisabled: () => {},
      onPostponed: () => {},
    });
    for (const [index, delivery] of deliveries.entries()) {
      const outcome = outcomeOf(delivery, index === 4 ? { status_code: 3_000_000_000 } : {});
      writer.push({ outcome, gone: false });
    }
    await eventually(() => settled.length === 8);
    await writer.stop();
    assert.equal(writer.waitingCount, 0);
    const left = only(await kiln.sql<{ id: string }>('select id from queued_deliveries'));
    assert.equal(left.id, deliveries[4]?.id);
  });

  it('count once, however often they are written', async () => {
    const outcome = outcomeOf(only(await claimed(1)), { verdict: 'retry', status_code: 500, retry_in_ms: 60_000 });
    assert.equal((await kiln.outcomes.settle([outcome])).overtaken.size, 0);
    assert.equal((await kiln.outcomes.settle([outcome])).overtaken.size, 1);
    assert.equal(only(await kiln.sql<{ failures: number }>('select failures from queued_deliveries')).failures, 1);
  });
});
