import { describe, expect, it } from '@jest/globals';
import type { FilesOutput } from '@kiln/contracts';
import { EventEmitter } from 'node:events';
import type { GatewayServices } from '../services.port.js';
import type { AwaitedState } from '../waiting/job-ends.service.js';
import { getBatch } from './get-batch.handler.js';

type Batch = Pick<FilesOutput<'getBatch'>, 'in_progress' | 'rest'>;

describe('a request that waits for a batch', () => {
  it('is answered when no file is in progress and none is still to be added', async () => {
    const states: Batch[] = [
      { in_progress: 2, rest: 'follows' },
      { in_progress: 0, rest: 'follows' },
      { in_progress: 1, rest: 'none' },
      { in_progress: 0, rest: 'none' },
    ];
    const jobEnds = {
      stateOf: async ({ read, isEnded }: AwaitedState<Batch>) => {
        for (;;) {
          const state = await read();
          if (isEnded(state)) return state;
        }
      },
    };
    const services = { rpc: { call: async () => states.shift() }, jobEnds } as unknown as GatewayServices;
    const request = { params: { id: 'batch_1' }, query: { wait: 60 }, context: {}, http: { res: new EventEmitter() } };
    const batch = await getBatch(request as unknown as Parameters<typeof getBatch>[0], services);
    expect([batch, states]).toStrictEqual([{ in_progress: 0, rest: 'none' }, []]);
  });
});
