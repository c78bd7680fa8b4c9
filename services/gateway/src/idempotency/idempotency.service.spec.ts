// FAKED: the store.
import { expect, it } from '@jest/globals';
import { unavailable } from '@kiln/contracts';
import { Sealer } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { randomBytes } from 'node:crypto';
import { fingerprintOf } from './fingerprint.domain.js';
import { Idempotency, type IdempotentRequest } from './idempotency.service.js';
import type { IdempotencyStore } from './idempotency.store.js';

const request = (run: IdempotentRequest['run']): IdempotentRequest => ({
  key: 'order 1',
  tenantId: 'tenant',
  route: 'createUpload',
  run,
  fingerprint: () => fingerprintOf({}),
  onReplay: () => {},
});

/** Each write fails as often as `faults` says. */
function storeThatFails(faults: Error[]) {
  const written: string[] = [];
  const write = (name: string) => async () => {
    const fault = faults.shift();
    written.push(fault ? `${name} failed` : name);
    if (fault) throw fault;
  };
  const claim = async () => ({ outcome: 'owned', ids: {} });
  const store = { claim, keep: write('keep'), release: write('release') } as unknown as IdempotencyStore;
  const quiet = { warn: () => {} } as never;
  return { written, idempotency: new Idempotency(store, new Sealer(randomBytes(32).toString('base64')), quiet) };
}

const away = () => unavailable('The database');

it('a key is released when the database is back, before its lease ends', async () => {
  const { written, idempotency } = storeThatFails([away(), away()]);
  await expect(idempotency.answer(request(() => Promise.reject(away())))).rejects.toThrow(/not available/);
  await eventually(() => expect(written).toStrictEqual(['release failed', 'release failed', 'release']));
});

it('an answer that could not be kept is returned at once, and kept when the database is back', async () => {
  const { written, idempotency } = storeThatFails([away()]);
  expect(await idempotency.answer(request(async () => ({ id: 'file_1' })))).toStrictEqual({ id: 'file_1' });
  expect(written).toStrictEqual(['keep failed']);
  await eventually(() => expect(written).toStrictEqual(['keep failed', 'keep']));
});
