import { expect, it } from '@jest/globals';
import { outcomeText } from './outcome.js';

it('an attempt is described by its error, or else by the status of the response', () => {
  expect(outcomeText({ status_code: 500, error: 'the endpoint answered 500' })).toBe('the endpoint answered 500');
  expect(outcomeText({ status_code: 204, error: null })).toBe('The endpoint answered 204.');
  expect(outcomeText({ status_code: null, error: null })).toBe('No response yet.');
});
