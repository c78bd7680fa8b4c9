import { expect, it } from '@jest/globals';
import { unavailable } from '@kiln/contracts';
import { RequestIds } from '../idempotency/request-ids.domain.js';
import { uploadBatch } from './upload-batch.handler.js';

type Request = Parameters<typeof uploadBatch>[0];
type Services = Parameters<typeof uploadBatch>[1];

/** Each file has 20 kB, so that a call has three. */
const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at}`, 'v'.repeat(1_000)]));

/** Returns what the batch does, in order. The first call fails. */
async function stepsOfBatch(files: number): Promise<string[]> {
  const steps: string[] = [];
  const services = {
    uploadBytesMax: 100,
    quota: { admit: async () => ({ release: async () => undefined }) },
    rpc: {
      call: async (_: object, input: { files: object[] }) => {
        steps.push(`call with ${input.files.length}`);
        if (steps.length === 1) throw unavailable('The files service');
        return { files: input.files.map(() => ({})) };
      },
    },
    jobCreator: { create: async () => undefined },
    tenantPauses: {
      pause: async (tenantId: string) => {
        steps.push(`pause of ${tenantId}`);
        await new Promise(setImmediate);
        steps.push('its end');
      },
    },
  };
  const body = { files: Array.from({ length: files }, (_, at) => ({ filename: `${at}.md`, metadata })) };
  const request = { body, caller: { tenantId: 'a' }, context: {}, ids: new RequestIds() };
  await uploadBatch(request as unknown as Request, services as unknown as Services);
  return steps;
}

it('a batch leaves time to other tenants between its calls, also after one that failed', async () => {
  expect(await stepsOfBatch(7)).toStrictEqual([
    'call with 3',
    'pause of a',
    'its end',
    'call with 3',
    'pause of a',
    'its end',
    'call with 1',
  ]);
});
