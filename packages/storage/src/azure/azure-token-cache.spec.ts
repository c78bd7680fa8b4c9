import { expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { CachedToken } from './azure-token-cache.js';

const LIFE_MS = 3_600_000;

class Numbered extends CachedToken {
  asked = 0;
  failure: Error | null = null;

  constructor(readonly clock: { ms: number }) {
    super(() => clock.ms);
  }

  protected async newToken() {
    this.asked++;
    await setImmediate();
    if (this.failure) throw this.failure;
    return { token: `token ${this.asked}`, expiresOnTimestamp: this.clock.ms + LIFE_MS };
  }

  text = async (): Promise<string> => (await this.getToken('scope')).token;
}

test('requests share one token until shortly before its end, also those that come at once', async () => {
  const token = new Numbered({ ms: 0 });
  expect(await Promise.all([token.text(), token.text()])).toStrictEqual(['token 1', 'token 1']);
  token.clock.ms += LIFE_MS - 301_000;
  expect([await token.text(), token.asked]).toStrictEqual(['token 1', 1]);
});

test('a token is renewed before its end, and no request waits for that', async () => {
  const token = new Numbered({ ms: 0 });
  await token.text();
  token.clock.ms = LIFE_MS - 200_000;
  expect([await token.text(), token.asked]).toStrictEqual(['token 1', 2]);
  await setImmediate();
  await setImmediate();
  expect([await token.text(), token.asked]).toStrictEqual(['token 2', 2]);
});

test('while the directory does not answer, the token is used to its end and requested every ten seconds at most', async () => {
  const token = new Numbered({ ms: 0 });
  await token.text();
  token.failure = new Error('down');
  for (let leftMs = 299_000; leftMs >= 30_000; leftMs -= 1_000) {
    token.clock.ms = LIFE_MS - leftMs;
    expect(await token.text()).toBe('token 1');
    await setImmediate();
  }
  expect(token.asked - 1).toBeLessThanOrEqual(27);
  token.clock.ms = LIFE_MS;
  await expect(token.text()).rejects.toThrow('down');
  token.failure = null;
  expect(await token.text()).toBe(`token ${token.asked}`);
});
