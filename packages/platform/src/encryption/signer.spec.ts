import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Signer } from './signer.js';

const newKey = () => randomBytes(32).toString('base64');
const message = Buffer.from('tenant file variant');

describe('a signed message', () => {
  const key = newKey();
  const signer = new Signer(key, 'content');
  const signed = signer.sign(message);

  it('is verified by any holder of the key, and is the same each time', () => {
    expect(new Signer(key, 'content').verify(signed)).toStrictEqual(message);
    expect(signer.sign(message)).toStrictEqual(signed);
    expect(signer.verify(signer.sign(Buffer.alloc(0)))).toStrictEqual(Buffer.alloc(0));
  });

  it('is rejected if any byte was changed, removed or added', () => {
    for (let at = 0; at < signed.length; at++) {
      const changed = Buffer.from(signed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(signer.verify(changed)).toBeNull();
      expect(signer.verify(signed.subarray(0, at))).toBeNull();
    }
    expect(signer.verify(Buffer.concat([signed, Buffer.of(0)]))).toBeNull();
  });

  it('is rejected for another purpose and under another key', () => {
    expect(new Signer(key, 'other').verify(signed)).toBeNull();
    expect(new Signer(newKey(), 'content').verify(signed)).toBeNull();
  });

  it('stays valid after a key rotation, and becomes invalid when its key is dropped', () => {
    const next = newKey();
    const [both, onlyNext] = [new Signer(`${next}, ${key}`, 'content'), new Signer(next, 'content')];
    expect(both.verify(signed)).toStrictEqual(message);
    expect(onlyNext.verify(signed)).toBeNull();
  });

  it('that was signed with two keys is verified with either: before, during and after a rotation', () => {
    const next = newKey();
    const both = new Signer(`${next},${key}`, 'content').sign(message);
    for (const keys of [key, `${next},${key}`, next]) {
      expect(new Signer(keys, 'content').verify(both)).toStrictEqual(message);
    }
    expect(new Signer(newKey(), 'content').verify(both)).toBeNull();
  });
});

it('a message without a signature is rejected, whatever count it states', () => {
  const signer = new Signer(newKey(), 'content');
  for (const forged of [Buffer.alloc(0), Buffer.of(0), Buffer.concat([Buffer.of(0), message]), Buffer.of(255)]) {
    expect(signer.verify(forged)).toBeNull();
  }
});
