import { describe, expect, it } from '@jest/globals';
import { BadRequestError } from '@kiln/sdk';
import { fieldErrors, refusedIndex } from './field-errors.js';

const refused = (message: string) =>
  new BadRequestError({ status: 400, code: 'BAD_REQUEST', message, requestId: null, retryAfterSeconds: null });

describe('the problems of a request', () => {
  it('are divided by field, also where a message has a semicolon', () => {
    const error = refused(
      'default_chunking.chunk_size must be at least 100; sites[1] must be an origin; http is for localhost only; name is required',
    );
    const errors = fieldErrors(error, ['default_chunking', 'sites', 'name']);
    expect(errors.of('default_chunking.chunk_size')).toBe('Must be at least 100');
    expect(errors.of('default_chunking')).toBe('Must be at least 100');
    expect(errors.of('sites')).toBe('Must be an origin; http is for localhost only');
    expect(errors.of('name')).toBe('Is required');
    expect(errors.of('default_chunking.strategy')).toBeNull();
    expect(errors.isComplete).toBe(true);
  });

  it('keep a subject that a message has', () => {
    const error = refused('rules[1].content_type image/* has a rule already');
    expect(fieldErrors(error, ['rules']).of('rules')).toBe('image/* has a rule already');
  });

  it('are not complete where one belongs to no field of the form', () => {
    const errors = fieldErrors(refused('other must be a string; name is required'), ['name']);
    expect([errors.of('name'), errors.isComplete]).toStrictEqual(['Is required', false]);
  });

  it('say which element of a list is refused', () => {
    expect(refusedIndex(refused('sites[1] must be an origin'), 'sites')).toBe(1);
    expect(refusedIndex(refused('sites must be at most 20 origins'), 'sites')).toBeNull();
  });

  it('belong to no field where the request failed for another reason', () => {
    const errors = fieldErrors(new Error('name must be shorter'), ['name']);
    expect([errors.of('name'), errors.isComplete]).toStrictEqual([null, false]);
  });
});
