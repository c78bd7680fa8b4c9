import { describe, expect, it } from '@jest/globals';
import { CodedError, conflict, notFound, superseded, unavailable } from '@kiln/contracts';
import { ExtractionError } from '@kiln/extraction';
import { providerEndpoint } from '@kiln/model-clients/http/provider-endpoint';
import { ProviderError } from '@kiln/model-clients/http/provider-error';
import { StorageError } from '@kiln/storage';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { QuotaExceededError } from '../../organization/pages/domain/quota-exceeded.js';
import { ExtractionAwaited } from '../../extractions/asked-extraction.domain.js';
import { unreachable } from '../bucket/bucket-failure.errors.js';
import { NoTextRoom } from './no-text-room.js';
import { judge, postponeDelaySeconds, retryDelaySeconds } from './failure.js';

fc.configureGlobal({ seed: testSeed() });

const fresh = { failures: 0, runs: 1 };

describe('a failed run', () => {
  it('fails the job at once when the file is at fault, with a message for its owner', () => {
    for (const code of ['unsupported_type', 'corrupt_file', 'encrypted_file', 'file_too_large', 'timeout'] as const) {
      const verdict = judge(new ExtractionError(code, 'Remove the password and upload it again.'), fresh);
      const message = 'Remove the password and upload it again.';
      expect(verdict).toStrictEqual({ kind: 'fail', error: { code, message, retryable: false } });
    }
  });

  it('whose pages exceed the plan fails its job at once, and the owner may retry it', () => {
    const balance = { usedPages: 900, reservedPages: 50, neededPages: 51, pagesLimit: 1_000, resetsOn: '2026-12-01' };
    const verdict = judge(new QuotaExceededError(balance), fresh);
    const error = {
      code: 'quota_exceeded',
      retryable: true,
      message: expect.stringMatching(
        /has 51 pages.*1,000 pages a month 900 are used and 50 reserved.*resets on 2026-12-01/,
      ),
    };
    expect(verdict).toMatchObject({ kind: 'fail', error });
  });

  it('is retried after an internal failure, three times in all', () => {
    expect(judge(new Error('bug'), { failures: 0, runs: 1 }).kind).toBe('retry');
    expect(judge(new Error('bug'), { failures: 1, runs: 2 }).kind).toBe('retry');
    expect(judge(new Error('bug'), { failures: 2, runs: 3 }).kind).toBe('fail');
  });

  it('that waits for an own extractor is no failure, however often it has waited', () => {
    for (const runs of [1, 100])
      expect(judge(new ExtractionAwaited(600), { failures: 2, runs })).toStrictEqual({
        kind: 'await',
        delaySeconds: 600,
      });
  });

  it('is only postponed, and counts neither as a failure nor as a run, while a part of Kiln is unavailable', () => {
    const outages = [
      unavailable('The files service'),
      new CodedError('RATE_LIMITED', 'Too many calls.'),
      new StorageError('unavailable', 'storage is away'),
      new StorageError('access_denied', 'storage refuses the key'),
      new NoTextRoom(),
    ];
    for (const outage of outages)
      expect(judge(outage, { failures: 2, runs: 100 })).toMatchObject({ kind: 'postpone', forgiven: true });
  });

  it('is only postponed, and counts neither as a failure nor as a run, after a system fault', () => {
    const code = (name: string) => Object.assign(new Error(`${name}: write`), { code: name });
    const endpoint = providerEndpoint('embedding', { baseUrl: 'https://models.example/v1' });
    const faults = [
      code('ENOSPC'),
      code('EMFILE'),
      code('ENFILE'),
      new ExtractionError('unavailable', 'No extractor accepts documents.'),
      new ProviderError('unreachable', endpoint, { cause: new Error('no socket', { cause: code('EMFILE') }) }),
      unreachable('their-documents', code('ENFILE')),
    ];
    for (const fault of faults)
      expect(judge(fault, { failures: 2, runs: 100 })).toMatchObject({ kind: 'postpone', forgiven: true });
  });

  it('of an external bucket that the connections service cannot use is tried three times, and fails with its reason', () => {
    const error = new CodedError('BUCKET_UNAVAILABLE', 'The bucket b answered 503.', { retryAfterSeconds: 30 });
    const first = judge(error, fresh);
    expect(first).toMatchObject({ kind: 'retry', delaySecondsMin: 30 });
    const last = judge(error, { failures: 2, runs: 3 });
    expect(last).toStrictEqual({
      kind: 'fail',
      error: { code: 'provider_unavailable', message: 'The bucket b answered 503.', retryable: true },
    });
  });

  it('fails the job after a hundred runs that were at fault themselves', () => {
    expect(judge(new Error('bug'), { failures: 0, runs: 99 }).kind).toBe('retry');
    expect(judge(new Error('bug'), { failures: 0, runs: 100 }).kind).toBe('fail');
  });

  it('of a deleted or superseded job is cancelled', () => {
    expect(judge(superseded('A newer run'), fresh).kind).toBe('cancel');
  });

  it('that a service refused for any other reason counts as an internal failure, never as cancelled', () => {
    for (const refusal of [notFound(), conflict('The bytes are not in storage.')]) {
      expect(judge(refusal, fresh).kind).toBe('retry');
      expect(judge(refusal, { failures: 2, runs: 3 }).kind).toBe('fail');
    }
  });

  const managed = providerEndpoint('embedding', { baseUrl: 'https://models.internal/v1', key: 'secret' });
  const own = { ...managed, keyOwner: 'organization' as const };

  it('of a transient provider failure is tried three times, no earlier than its Retry-After, and fails with its reason', () => {
    for (const fault of ['rate_limited', 'server_error', 'unreachable', 'malformed'] as const) {
      const error = new ProviderError(fault, managed, { retryAfterSeconds: 90 });
      const first = judge(error, fresh);
      expect([fault, first]).toMatchObject([fault, { kind: 'retry', delaySecondsMin: 90 }]);
      const last = judge(error, { failures: 2, runs: 3 });
      const message: unknown = expect.not.stringMatching(/internal|secret/);
      const ended = { kind: 'fail', error: { code: 'provider_unavailable', retryable: true, message } };
      expect([fault, last]).toMatchObject([fault, ended]);
    }
    const late = judge(new ProviderError('timeout', managed), { failures: 2, runs: 3 });
    expect(late).toMatchObject({ kind: 'fail', error: { code: 'timeout' } });
  });

  it('fails at once when a correction is needed, such as a refused key', () => {
    const refused = judge(new ProviderError('unauthorized', own), fresh);
    const message: unknown = expect.stringMatching(/your organization's own key/);
    expect(refused).toMatchObject({
      kind: 'fail',
      error: { code: 'provider_unauthorized', retryable: false, message },
    });
    const managedOne = judge(new ProviderError('unauthorized', managed), fresh);
    expect(managedOne).toMatchObject({ kind: 'fail', error: { code: 'provider_unavailable', retryable: true } });
    expect(judge(new ProviderError('refused', managed), fresh).kind).toBe('fail');
  });

  it('is only postponed while no request reaches the provider', () => {
    for (const fault of ['circuit_open', 'busy'] as const) {
      const error = new ProviderError(fault, managed, { retryAfterSeconds: 12 });
      const verdict = judge(error, { failures: 2, runs: 50 });
      expect(verdict).toMatchObject({ kind: 'postpone', delaySecondsMin: 12, forgiven: fault === 'busy' });
    }
    const last = judge(new ProviderError('circuit_open', managed), { failures: 0, runs: 100 });
    expect(last).toMatchObject({ kind: 'fail', error: { code: 'provider_unavailable' } });
  });

  it('waits for a busy provider without a limit', () => {
    expect(judge(new ProviderError('busy', managed), { failures: 0, runs: 100 }).kind).toBe('postpone');
  });

  it('exposes no internal details', () => {
    const verdict = judge(new Error('password=sesame at /srv/kiln'), { failures: 2, runs: 3 });
    expect(verdict).toMatchObject({ kind: 'fail', error: { message: expect.not.stringMatching(/sesame|srv/) } });
  });
});

it('delays stay within their bounds: full jitter from 2 s doubling to 60 s, and 1 to 5 s while a part is unavailable', () => {
  const random = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
  fc.assert(
    fc.property(fc.nat(50), random, (failures, value) => {
      const delay = retryDelaySeconds(failures, () => value);
      expect(delay).toBeGreaterThanOrEqual(0);
      expect(delay).toBeLessThanOrEqual(Math.min(60, 2 * 2 ** failures));
      const postponed = postponeDelaySeconds(Math.min(failures, 10), () => value);
      expect(postponed).toBeGreaterThanOrEqual(1);
      expect(postponed).toBeLessThanOrEqual(5);
      expect(postponeDelaySeconds(10 + failures, () => value)).toBeLessThanOrEqual(60);
    }),
  );
});

it('a hundred runs that do not reach a provider last longer than forty minutes', () => {
  let seconds = 0;
  for (let runs = 1; runs < 100; runs++) seconds += postponeDelaySeconds(runs, () => 0.5);
  expect(seconds).toBeGreaterThan(2_400);
});
