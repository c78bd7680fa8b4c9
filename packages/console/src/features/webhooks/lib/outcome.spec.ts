import { expect, it } from '@jest/globals';
import { nextAttemptText, outcomeText } from './outcome.js';

it('an attempt is described by its error, or else by the status of the response', () => {
  expect(outcomeText({ status_code: 500, error: 'the endpoint answered 500' })).toBe('the endpoint answered 500');
  expect(outcomeText({ status_code: 204, error: null })).toBe('The endpoint answered 204.');
  expect(outcomeText({ status_code: null, error: null })).toBe('No response yet.');
});

it('the next attempt is told by the time until it', () => {
  const now = new Date('2026-11-27T09:00:00Z');
  expect(nextAttemptText('2026-11-27 09:05:00', now)).toBe('The next attempt is in 5 min.');
  expect(nextAttemptText('2026-11-27 08:59:59', now)).toBe('The next attempt is due.');
});
