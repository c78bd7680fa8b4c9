import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { loadConfig } from '../config/load-config.js';
import { encryptionVariables, SealBrokenError, Sealer } from './sealer.js';

const newKey = () => randomBytes(32).toString('base64');
const place = { tenantId: 'tenant', rowId: 'row', name: 'secret' };

describe('a sealed secret', () => {
  const key = newKey();
  const sealer = new Sealer(key);

  it('opens in its place, looks different each time and does not show its text', () => {
    const [one, other] = [sealer.seal('whsec_ü', place), sealer.seal('whsec_ü', place)];
    assert.equal(sealer.open(one, place), 'whsec_ü');
    assert.notDeepEqual(one, other);
    assert.ok(!one.includes('whsec'));
  });

  it('does not open in another row, tenant or column', () => {
    const sealed = sealer.seal('x', place);
    for (const elsewhere of [{ tenantId: 'other' }, { rowId: 'other' }, { name: 'other' }]) {
      assert.throws(() => sealer.open(sealed, { ...place, ...elsewhere }), SealBrokenError);
    }
  });

  it('does not open once any byte of it was changed, or cut off', () => {
    const sealed = sealer.seal('secret', place);
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.throws(() => sealer.open(changed, place), SealBrokenError, `byte ${at}`);
      assert.throws(() => sealer.open(sealed.subarray(0, at), place), SealBrokenError, `${at} bytes`);
    }
  });

  it('opens after a new key was put in front of its own, is then called old, and is lost with its key', () => {
    const sealed = sealer.seal('kept', place);
    const next = newKey();
    const both = new Sealer(`${next}, ${key}`);
    assert.equal(both.open(sealed, place), 'kept');
    assert.deepEqual([both.isOld(sealed), both.isOld(both.seal('kept', place))], [true, false]);
    assert.throws(() => new Sealer(next).open(sealed, place), SealBrokenError);
  });
});

it('a key that is not 32 bytes of base64 stops the boot, without being shown', () => {
  const schema = z.object(encryptionVariables);
  for (const wrong of ['hunter2', newKey().slice(1), `${newKey()},`]) {
    assert.throws(
      () => loadConfig(schema, { KILN_ENCRYPTION_KEY: wrong }),
      (error: Error) => /openssl rand -base64 32/.test(error.message) && !error.message.includes(wrong),
    );
  }
  assert.ok(loadConfig(schema, { KILN_ENCRYPTION_KEY: `${newKey()},${newKey()}` }));
});
