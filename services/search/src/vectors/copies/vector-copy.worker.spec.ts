import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@kiln/platform';
import { VectorCopyRequests } from './vector-copy-requests.service.js';
import { VectorCopyWorker } from './vector-copy.worker.js';

const quiet = createLogger({ service: 'search', role: 'all', level: 'fatal' });

const SET = { model: 'small', dimensions: 8, files: 1, vectors: 1, generation: 1 };

describe('the worker of vector copies', () => {
  /** A worker whose clock stands still, and tenants without a copy. */
  function open(tenants: number, canCopy: boolean) {
    const behind = new Set(Array.from({ length: tenants }, (_, number) => `tenant ${number}`));
    const counted = { polls: 0, updates: 0 };
    const copies = {
      dimensionsMax: 8,
      emptyOf: () => Promise.resolve([]),
      lag: (tenantsMax: number) => {
        counted.polls++;
        return Promise.resolve({ copies: behind.size, changes: 1, tenantIds: [...behind].slice(0, tenantsMax) });
      },
    };
    const update = ({ tenantId }: { tenantId: string }) => {
      counted.updates++;
      if (canCopy) behind.delete(tenantId);
      return Promise.resolve(canCopy ? 'current' : 'failed');
    };
    const setsOf = (tenantId: string) => Promise.resolve([{ ...SET, tenantId }]);
    const index = { copies, writer: { update } } as unknown as ConstructorParameters<typeof VectorCopyWorker>[0];
    let now = 0;
    const worker = new VectorCopyWorker(index, new VectorCopyRequests(), setsOf, quiet, () => now);
    const run = async () => {
      while (await worker.round());
    };
    return { behind, counted, run, pass: (ms: number) => void (now += ms) };
  }

  it('makes copies for all tenants without one, and does not wait for the next poll while it makes progress', async () => {
    const { behind, counted, run, pass } = open(1_000, true);
    await run();
    expect(behind.size).toBe(900);
    pass(60_000);
    await run();
    expect(behind.size).toBe(0);
    expect(counted.updates).toBe(1_000);
  });

  it('ends the graph that is being made when it stops, and makes no further copy', async () => {
    const { promise: closed, resolve: close } = Promise.withResolvers<'failed'>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const updated: string[] = [];
    const copies = { dimensionsMax: 8, emptyOf: () => Promise.resolve([]), close: async () => close('failed') };
    const update = ({ model }: { model: string }) => {
      updated.push(model);
      begin();
      return closed;
    };
    const sets = ['small', 'large'].map((model) => ({ ...SET, tenantId: 'tenant', model }));
    const index = { copies, writer: { update } } as unknown as ConstructorParameters<typeof VectorCopyWorker>[0];
    const requests = new VectorCopyRequests();
    const worker = new VectorCopyWorker(index, requests, () => Promise.resolve(sets), quiet);
    requests.request('tenant');
    worker.start();
    await begun;
    await worker.stop();
    expect(updated).toStrictEqual(['small']);
  });

  it('waits for the next poll when no copy can be made', async () => {
    const { counted, run, pass } = open(1_000, false);
    await run();
    pass(60_000);
    await run();
    expect(counted).toStrictEqual({ polls: 2, updates: 200 });
  });
});
