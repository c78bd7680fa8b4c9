import { describe, expect, it } from '@jest/globals';
import { BadRequestError } from '@kiln/sdk';
import { fieldErrors, refusedIndex } from './field-errors.js';

const refused = (message: string) =>
  new BadRequestError({ status: 400, code: 'BAD_REQUEST', message, requestId: null, retryAfterSeconds: null });

describe('the problems of a request', () => {
  it('are divided by field, also where a message has a semicolon', () => {
    const errors = fieldErrors(
      refused('default_chunking.chunk_size must be at least 100; name must not be empty; use null to remove it'),
    );
    expect(errors.of('default_chunking.chunk_size')).toBe('must be at least 100');
    expect(errors.of('default_chunking')).toBe('must be at least 100');
    expect(errors.of('name')).toBe('must not be empty; use null to remove it');
    expect(errors.of('default_chunking.strategy')).toBeNull();
    expect(errors.areAllOf(['name', 'default_chunking'])).toBe(true);
    expect(errors.areAllOf(['name'])).toBe(false);
  });

  it('say which element of a list is refused', () => {
    expect(refusedIndex(refused('frame_ancestors[1] must be an origin'), 'frame_ancestors')).toBe(1);
    expect(refusedIndex(refused('frame_ancestors must be at most 20 origins'), 'frame_ancestors')).toBeNull();
  });

  it('belong to no field where the request failed for another reason', () => {
    const errors = fieldErrors(new Error('name must be shorter'));
    expect([errors.of('name'), errors.areAllOf(['name'])]).toStrictEqual([null, false]);
  });
});
