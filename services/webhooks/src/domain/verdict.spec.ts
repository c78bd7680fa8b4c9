import assert from 'node:assert/strict';
import { it } from 'node:test';
import { judge } from './verdict.js';

const answer = (statusCode: number | null, error: string | null = null, retryAfter?: string) => ({
  statusCode,
  error,
  retryAfter,
});

it('any 2xx is delivered, and nothing else is', () => {
  for (const status of [200, 201, 204, 299]) assert.equal(judge(answer(status), 0, 0).verdict, 'delivered');
  for (const status of [199, 300, 301, 304, 400, 401, 404, 429, 500, 503]) {
    assert.equal(judge(answer(status), 0, 0).verdict, 'retry', String(status));
  }
  assert.equal(judge(answer(null, 'Connection refused.'), 0, 0).verdict, 'retry');
  assert.equal(judge(answer(200, 'The answer broke off.'), 0, 0).verdict, 'retry');
});

it('a redirect is told by its name', () => {
  assert.match(judge(answer(302), 0, 0).error ?? '', /redirects are not followed/);
});

it('410 ends the delivery at once, and the webhook', () => {
  assert.deepEqual(judge(answer(410), 0, 0), { verdict: 'failed', error: 'The endpoint answered 410.', gone: true });
});

it('the eighth failure is the last', () => {
  assert.equal(judge(answer(500), 6, 0).verdict, 'retry');
  const last = judge(answer(500, null, '1'), 7, 0);
  assert.deepEqual(last, { verdict: 'failed', error: 'The endpoint answered 500.', gone: false });
});

it('Retry-After is heeded', () => {
  const judged = judge(answer(503, null, '3600'), 0, 0);
  assert.ok(judged.verdict === 'retry' && judged.retryInMs >= 3_600_000);
});
