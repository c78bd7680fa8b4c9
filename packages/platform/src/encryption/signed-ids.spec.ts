import { expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { openIds, signIds } from './signed-ids.js';
import { Signer } from './signer.js';

const key = () => randomBytes(32).toString('base64');

it('signed ids open with their key, purpose and number only, and only as the exact text', () => {
  const secret = key();
  const signer = new Signer(secret, 'door');
  const ids = [randomUUID(), randomUUID()];
  const text = signIds(signer, ids);
  expect(openIds(signer, text, 2)).toStrictEqual(ids);
  expect(openIds(signer, text, 3)).toBeNull();
  expect(openIds(new Signer(secret, 'window'), text, 2)).toBeNull();
  expect(openIds(new Signer(key(), 'door'), text, 2)).toBeNull();
  for (const wrong of ['', 'x', `${text}=`, ` ${text}`, text.slice(0, -1), signIds(signer, [ids[0] ?? ''])])
    expect(openIds(signer, wrong, 2)).toBeNull();
});
