import { describe, expect, it } from '@jest/globals';
import { connectionsOperations } from '../connections/operations.js';
import { filesOperations } from '../files/operations.js';
import { jobsOperations } from './operations.js';

describe('the retry of a job whose file is in a connected bucket', () => {
  it('gives each call longer than the call that it makes, so that a silent bucket is reported as such', () => {
    const calls = [jobsOperations.retryJob, filesOperations.prepareRetry, connectionsOperations.statObjects];
    const times = calls.map(({ timeoutMs }) => timeoutMs);
    expect(new Set(times).size).toBe(times.length);
    expect(times).toStrictEqual(times.toSorted((one, other) => other - one));
  });
});
