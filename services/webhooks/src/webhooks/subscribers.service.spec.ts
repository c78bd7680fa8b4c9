// Faked: the store, which records the tenants it is asked for and answers on demand.
import { describe, expect, it } from '@jest/globals';
import type { Subscriber } from './webhook.store.js';
import { Subscribers } from './subscribers.service.js';

const HOUR_MS = 3_600_000;
const subscriber = (id: string): Subscriber => ({ id, organization_id: id, events: ['*'], spaces: null, active: true });

class Store {
  asked: string[][] = [];
  webhooks = [subscriber('first')];
  /** A read waits for this promise after it has read. */
  gate: Promise<void> = Promise.resolve();

  async subscribed(tenantIds: readonly string[]): Promise<Map<string, Subscriber[]>> {
    this.asked.push([...tenantIds]);
    const found = new Map([['tenant', this.webhooks]]);
    await this.gate;
    return found;
  }
}

async function idsOf(subscribers: Subscribers, tenantId = 'tenant'): Promise<string[]> {
  return (await subscribers.of(new Set([tenantId])))(tenantId).map(({ id }) => id);
}

describe('the webhooks of a tenant', () => {
  it('are read once, with those of the other tenants that are not known yet', async () => {
    const store = new Store();
    const subscribers = new Subscribers(store, HOUR_MS);
    expect(await idsOf(subscribers)).toStrictEqual(['first']);
    const of = await subscribers.of(new Set(['tenant', 'silent', 'quiet']));
    expect([of('tenant').length, of('silent').length]).toStrictEqual([1, 0]);
    await idsOf(subscribers, 'silent');
    expect(store.asked).toStrictEqual([['tenant'], ['silent', 'quiet']]);
  });

  it('are read again after a change was announced', async () => {
    const store = new Store();
    const subscribers = new Subscribers(store, HOUR_MS);
    await idsOf(subscribers);
    store.webhooks = [subscriber('first'), subscriber('second')];
    subscribers.forget();
    expect(await idsOf(subscribers)).toStrictEqual(['first', 'second']);
  });

  it('of a read that a change has overtaken are not cached', async () => {
    const store = new Store();
    const subscribers = new Subscribers(store, HOUR_MS);
    let answer = () => {};
    store.gate = new Promise((resolve) => (answer = resolve));
    const overtaken = idsOf(subscribers);
    store.webhooks = [];
    subscribers.forget();
    answer();
    await overtaken;
    expect(await idsOf(subscribers)).toStrictEqual([]);
  });

  it('are not cached beyond their lifetime', async () => {
    const store = new Store();
    const subscribers = new Subscribers(store, 0);
    await idsOf(subscribers);
    await idsOf(subscribers);
    expect(store.asked).toHaveLength(2);
  });

  it('are read again after a read that failed', async () => {
    const store = new Store();
    const subscribers = new Subscribers(store, HOUR_MS);
    store.gate = Promise.reject(new Error('away'));
    await expect(idsOf(subscribers)).rejects.toThrow(/away/);
    store.gate = Promise.resolve();
    expect(await idsOf(subscribers)).toStrictEqual(['first']);
  });
});
