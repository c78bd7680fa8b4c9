import { describe, expect, it } from '@jest/globals';
import { Signer } from '@kiln/platform';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ContentUrls } from './content-urls.service.js';

const newKey = () => randomBytes(32).toString('base64');
const place = {
  tenantId: '01938a00-1000-7000-8000-000000000001',
  fileId: '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a10',
  variantId: '01938a3c-9f02-7a44-8e0f-5b1c7d2e6f30',
};
const PUBLIC_URL = 'https://kiln.example.com';
const LIFETIME_SECONDS = 3_600;
const START = Date.parse('2026-11-22T10:00:00.999Z');
const request = {} as IncomingMessage;

describe('the signed URL of a content', () => {
  const key = newKey();
  const urlsWith = (keys: string, now = START) =>
    new ContentUrls(
      { signer: new Signer(keys, 'content url'), lifetimeSeconds: LIFETIME_SECONDS, publicUrl: PUBLIC_URL },
      () => now,
    );
  const tokenOf = (urls: ContentUrls) => urls.urlTo(place, request).slice(`${PUBLIC_URL}/v1/content/`.length);
  const token = tokenOf(urlsWith(key));

  it('is one path segment under the address of the gateway, and leads every gateway with the key to its place', () => {
    expect(urlsWith(key).urlTo(place, request)).toBe(`${PUBLIC_URL}/v1/content/${token}`);
    expect(token).toMatch(/^[\w-]+$/);
    expect(urlsWith(key).open(token)).toStrictEqual({ ...place, secondsLeft: LIFETIME_SECONDS });
  });

  it('is valid for exactly its lifetime', () => {
    const after = (seconds: number) => urlsWith(key, START + seconds * 1_000).open(token);
    expect(after(LIFETIME_SECONDS - 1)?.secondsLeft).toBe(1);
    expect(after(LIFETIME_SECONDS)).toBeNull();
    expect(after(LIFETIME_SECONDS * 1_000)).toBeNull();
  });

  it('is refused once any bit of it was changed, or a character left out, added or written in another way', () => {
    const bytes = Buffer.from(token, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(urlsWith(key).open(changed.toString('base64url'))).toBeNull();
    }
    const others = [token.slice(1), token.slice(0, -1), `${token}A`, `${token}=`, `${token}.`, `%${token}`, '', 'x'];
    for (const other of others) expect(urlsWith(key).open(other)).toBeNull();
  });

  it('is refused under another key, and when it was signed for anything else', () => {
    expect(urlsWith(newKey()).open(token)).toBeNull();
    const message = Buffer.from(token, 'base64url').subarray(-54);
    for (const [purpose, signed] of [
      ['other', message],
      ['content url', Buffer.concat([message, Buffer.of(0)])],
      ['content url', message.subarray(1)],
    ] as const) {
      const forged = new Signer(key, purpose).sign(Buffer.from(signed)).toString('base64url');
      expect(urlsWith(key).open(forged)).toBeNull();
    }
  });

  it('stays good while the operator changes the key: old and new gateways open what the others gave out', () => {
    const next = newKey();
    const [before, between, after] = [urlsWith(key), urlsWith(`${next},${key}`), urlsWith(next)];
    expect(between.open(token)).not.toBeNull();
    for (const urls of [before, between, after]) expect(urls.open(tokenOf(between))).not.toBeNull();
    expect(after.open(token)).toBeNull();
  });
});
