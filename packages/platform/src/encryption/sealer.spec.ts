import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { loadConfig } from '../config/load-config.js';
import { encryptionVariables, SealBrokenError, Sealer } from './sealer.js';

const newKey = () => randomBytes(32).toString('base64');
const place = { tenantId: 'tenant', rowId: 'row', name: 'secret' };

describe('a sealed secret', () => {
  const key = newKey();
  const sealer = new Sealer(key);

  it('opens in its own row, differs each time it is sealed, and does not contain its text', () => {
    const [one, other] = [sealer.seal('whsec_ü', place), sealer.seal('whsec_ü', place)];
    expect(sealer.open(one, place)).toBe('whsec_ü');
    expect(one).not.toStrictEqual(other);
    expect(one.toString('latin1')).not.toContain('whsec');
  });

  it('does not open in another row, tenant or column', () => {
    const sealed = sealer.seal('x', place);
    for (const elsewhere of [{ tenantId: 'other' }, { rowId: 'other' }, { name: 'other' }]) {
      expect(() => sealer.open(sealed, { ...place, ...elsewhere })).toThrow(SealBrokenError);
    }
  });

  it('does not open if any byte was changed or removed', () => {
    const sealed = sealer.seal('secret', place);
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => sealer.open(changed, place)).toThrow(SealBrokenError);
      expect(() => sealer.open(sealed.subarray(0, at), place)).toThrow(SealBrokenError);
    }
  });

  it('opens after a key rotation, is then reported as old, and no longer opens when its key is dropped', () => {
    const sealed = sealer.seal('kept', place);
    const next = newKey();
    const both = new Sealer(`${next}, ${key}`);
    expect(both.open(sealed, place)).toBe('kept');
    expect([both.isOld(sealed), both.isOld(both.seal('kept', place))]).toStrictEqual([true, false]);
    expect(() => new Sealer(next).open(sealed, place)).toThrow(SealBrokenError);
  });

  it('is resealed with the newest key once, in its own row only, and then needs no other key', () => {
    const sealed = sealer.seal('kept', place);
    const next = newKey();
    const both = new Sealer(`${next}, ${key}`);
    const renewed = both.reseal(sealed, place);
    if (!renewed) throw new Error('it was not resealed');
    expect(new Sealer(next).open(renewed, place)).toBe('kept');
    expect(both.reseal(renewed, place)).toBeNull();
    expect(() => both.reseal(sealed, { ...place, rowId: 'other' })).toThrow(SealBrokenError);
  });
});

it('a key that is not 32 bytes of base64 stops the boot, and is not shown', () => {
  const schema = z.object(encryptionVariables);
  for (const wrong of ['hunter2', newKey().slice(1), `${newKey()},`]) {
    const load = () => loadConfig(schema, { KILN_ENCRYPTION_KEY: wrong });
    expect(load).toThrow(/openssl rand -base64 32/);
    expect(load).not.toThrow(wrong);
  }
  expect(() => loadConfig(schema, { KILN_ENCRYPTION_KEY: `${newKey()},${newKey()}` })).not.toThrow();
});
