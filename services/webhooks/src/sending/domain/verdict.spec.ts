import { expect, it } from '@jest/globals';
import { judge } from './verdict.js';

const answer = (statusCode: number | null, error: string | null = null, retryAfter?: string) => ({
  statusCode,
  error,
  retryAfter,
});

it.each([200, 201, 204, 299])('%i is delivered', (status) => {
  expect(judge(answer(status), 0, 0).verdict).toBe('delivered');
});

it.each([199, 300, 301, 304, 400, 401, 404, 429, 500, 503])('%i is tried again', (status) => {
  expect(judge(answer(status), 0, 0).verdict).toBe('retry');
});

it('an attempt without an answer, or with part of one, is tried again', () => {
  expect(judge(answer(null, 'Connection refused.'), 0, 0).verdict).toBe('retry');
  expect(judge(answer(200, 'The answer broke off.'), 0, 0).verdict).toBe('retry');
});

it('a redirect is reported as such', () => {
  expect(judge(answer(302), 0, 0).error ?? '').toMatch(/redirects are not followed/);
});

it('410 ends the delivery at once, and the webhook', () => {
  expect(judge(answer(410), 0, 0)).toStrictEqual({
    verdict: 'failed',
    error: 'The endpoint answered 410.',
    gone: true,
  });
});

it('the eighth failure is the last', () => {
  expect(judge(answer(500), 6, 0).verdict).toBe('retry');
  const last = judge(answer(500, null, '1'), 7, 0);
  expect(last).toStrictEqual({ verdict: 'failed', error: 'The endpoint answered 500.', gone: false });
});

it('Retry-After is heeded', () => {
  const judged = judge(answer(503, null, '3600'), 0, 0);
  if (judged.verdict !== 'retry') throw new Error(`it is ${judged.verdict}`);
  expect(judged.retryInMs).toBeGreaterThanOrEqual(3_600_000);
});
