import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { keyOf, newSecret, signatureOf } from './signature.js';

const body = '{"id":"evt_1","type":"file.created","data":{"filename":"ü.pdf"}}';

function headersFor(secrets: string[], timestamp = Math.floor(Date.now() / 1000)) {
  const signature = signatureOf(secrets.map(keyOf), 'evt_1', timestamp, body);
  return { 'webhook-id': 'evt_1', 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
}

it('a signature verifies with the library of the standard, and with no other secret', () => {
  const secret = newSecret();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(new Webhook(secret).verify(body, headersFor([secret])), JSON.parse(body));
  assert.throws(() => new Webhook(newSecret()).verify(body, headersFor([secret])), /signature/i);
  assert.throws(() => new Webhook(secret).verify(`${body} `, headersFor([secret])), /signature/i);
});

it('while a rotation is in its grace period, either secret verifies', () => {
  const [next, previous] = [newSecret(), newSecret()];
  const headers = headersFor([next, previous]);
  for (const secret of [next, previous]) assert.ok(new Webhook(secret).verify(body, headers));
});
