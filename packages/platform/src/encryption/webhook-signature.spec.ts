import { expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { beginSignature, isSigned, keyOf, newSecret, signatureOf } from './webhook-signature.js';

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

it('a body that comes in pieces is verified against the signature of the library, by any of several signatures', () => {
  const [secret, other] = [newSecret(), newSecret()];
  const timestamp = new Date(1_795_251_600_000);
  const digestBy = (key: string) => {
    const signature = beginSignature(keyOf(key), 'evt_1', timestamp.getTime() / 1_000);
    for (const piece of body) signature.update(piece);
    return signature.digest();
  };
  const header = new Webhook(secret).sign('evt_1', timestamp, body);
  expect(isSigned(header, digestBy(secret))).toBe(true);
  expect(isSigned(`v1,${Buffer.alloc(32).toString('base64')} v1a,x ${header}`, digestBy(secret))).toBe(true);
  expect(isSigned(header, digestBy(other))).toBe(false);
  for (const wrong of ['', 'v1', 'v1,', 'v1,%%%', header.slice(3), `v2${header.slice(2)}`])
    expect(isSigned(wrong, digestBy(secret))).toBe(false);
});
