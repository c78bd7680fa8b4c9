import { expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { keyOf, newSecret, signatureOf } from './signature.js';

const body = '{"id":"evt_1","type":"file.created","data":{"filename":"ü.pdf"}}';

function headersFor(secrets: string[], timestamp = Math.floor(Date.now() / 1000)) {
  const signature = signatureOf(secrets.map(keyOf), 'evt_1', timestamp, body);
  return { 'webhook-id': 'evt_1', 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
}

it('a signature verifies with the library of the standard, and with no other secret', () => {
  const secret = newSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(new Webhook(secret).verify(body, headersFor([secret]))).toStrictEqual(JSON.parse(body));
  expect(() => new Webhook(newSecret()).verify(body, headersFor([secret]))).toThrow(/signature/i);
  expect(() => new Webhook(secret).verify(`${body} `, headersFor([secret]))).toThrow(/signature/i);
});

it('while a rotation is in its grace period, either secret verifies', () => {
  const [next, previous] = [newSecret(), newSecret()];
  const headers = headersFor([next, previous]);
  for (const secret of [next, previous])
    expect(new Webhook(secret).verify(body, headers)).toStrictEqual(JSON.parse(body));
});
