import { CodedError, conflict, notFound, superseded, unavailable } from '@kiln/contracts';
import { ExtractionError } from '@kiln/extraction';
import { providerEndpoint, ProviderError } from '@kiln/extraction/remote';
import { StorageError } from '@kiln/storage';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { QuotaExceededError } from './quota-exceeded.js';
import { judge, postponeDelaySeconds, retryDelaySeconds } from './failure.js';

const fresh = { failures: 0, runs: 1 };

describe('a failed run', () => {
  it('ends the job at once when the file is at fault, in words for its owner', () => {
    for (const code of ['unsupported_type', 'corrupt_file', 'encrypted_file', 'file_too_large', 'timeout'] as const) {
      const verdict = judge(new ExtractionError(code, 'Remove the password and upload it again.'), fresh);
      assert.equal(verdict.kind, 'fail');
      assert.deepEqual(verdict.kind === 'fail' && verdict.error, {
        code,
        message: 'Remove the password and upload it again.',
        retryable: false,
      });
    }
  });

  it('whose pages are more than the plan has room for ends its job at once, and its owner may retry it', () => {
    const balance = { usedPages: 900, reservedPages: 50, neededPages: 51, pagesLimit: 1_000, resetsOn: '2026-12-01' };
    const verdict = judge(new QuotaExceededError(balance), fresh);
    assert.ok(verdict.kind === 'fail');
    const { code, message, retryable } = verdict.error;
    assert.deepEqual([code, retryable], ['quota_exceeded', true]);
    assert.match(message, /has 51 pages.*1,000 pages a month 900 are used and 50 reserved.*resets on 2026-12-01/);
  });

  it('is tried again after a fault of ours, three times in all', () => {
    assert.equal(judge(new Error('bug'), { failures: 0, runs: 1 }).kind, 'retry');
    assert.equal(judge(new Error('bug'), { failures: 1, runs: 2 }).kind, 'retry');
    assert.equal(judge(new Error('bug'), { failures: 2, runs: 3 }).kind, 'fail');
  });

  it('is only delayed, and never counted, while a part of Kiln is away', () => {
    assert.equal(judge(unavailable('The files service'), { failures: 2, runs: 50 }).kind, 'postpone');
    assert.equal(judge(new StorageError('unavailable', 'storage is away'), { failures: 2, runs: 3 }).kind, 'postpone');
  });

  it('of a connected bucket that the connections service can not use is tried three times, and ends with its reason', () => {
    const error = new CodedError('BUCKET_UNAVAILABLE', 'The bucket b answered 503.', { retryAfterSeconds: 30 });
    const first = judge(error, fresh);
    assert.ok(first.kind === 'retry' && first.delaySecondsMin === 30);
    const last = judge(error, { failures: 2, runs: 3 });
    assert.deepEqual(last.kind === 'fail' && last.error, {
      code: 'provider_unavailable',
      message: 'The bucket b answered 503.',
      retryable: true,
    });
  });

  it('ends after a hundred runs whatever the reason, so that nothing goes round for ever', () => {
    assert.equal(judge(unavailable('The files service'), { failures: 0, runs: 100 }).kind, 'fail');
  });

  it('of a deleted file, or of one that a newer job has taken over, is simply cancelled', () => {
    assert.equal(judge(superseded('A newer run'), fresh).kind, 'cancel');
  });

  it('that a service refused for any other reason counts as a fault of ours, and is never taken for cancelled', () => {
    for (const refusal of [notFound(), conflict('The bytes are not in storage.')]) {
      assert.equal(judge(refusal, fresh).kind, 'retry');
      assert.equal(judge(refusal, { failures: 2, runs: 3 }).kind, 'fail');
    }
  });

  const managed = providerEndpoint('embedding', { baseUrl: 'https://models.internal/v1', key: 'secret' });
  const own = { ...managed, keyOwner: 'organization' as const };

  it('of a provider that may recover is tried three times, not before the moment it has named, and ends with its reason', () => {
    for (const fault of ['rate_limited', 'server_error', 'unreachable', 'malformed'] as const) {
      const error = new ProviderError(fault, managed, { retryAfterSeconds: 90 });
      const first = judge(error, fresh);
      assert.ok(first.kind === 'retry' && first.delaySecondsMin === 90, fault);
      const last = judge(error, { failures: 2, runs: 3 });
      assert.ok(last.kind === 'fail' && last.error.code === 'provider_unavailable' && last.error.retryable, fault);
      assert.doesNotMatch(last.error.message, /internal|secret/);
    }
    const late = judge(new ProviderError('timeout', managed), { failures: 2, runs: 3 });
    assert.ok(late.kind === 'fail' && late.error.code === 'timeout');
  });

  it("ends at once where somebody has to correct something: a refused key, the organization's own or not", () => {
    const refused = judge(new ProviderError('unauthorized', own), fresh);
    assert.ok(refused.kind === 'fail' && refused.error.code === 'provider_unauthorized' && !refused.error.retryable);
    assert.match(refused.error.message, /your organization's own key/);
    const managedOne = judge(new ProviderError('unauthorized', managed), fresh);
    assert.ok(
      managedOne.kind === 'fail' && managedOne.error.code === 'provider_unavailable' && managedOne.error.retryable,
    );
    assert.equal(judge(new ProviderError('refused', managed), fresh).kind, 'fail');
  });

  it('is only delayed while a provider is not asked at all, for others had failed or were waiting', () => {
    for (const fault of ['circuit_open', 'busy'] as const) {
      const error = new ProviderError(fault, managed, { retryAfterSeconds: 12 });
      const verdict = judge(error, { failures: 2, runs: 50 });
      assert.ok(verdict.kind === 'postpone' && verdict.delaySecondsMin === 12);
      assert.equal(verdict.forgiven, fault === 'busy');
    }
    const last = judge(new ProviderError('circuit_open', managed), { failures: 0, runs: 100 });
    assert.ok(last.kind === 'fail' && last.error.code === 'provider_unavailable');
  });

  it('waits for a provider that serves others for as long as that takes', () => {
    assert.equal(judge(new ProviderError('busy', managed), { failures: 0, runs: 100 }).kind, 'postpone');
  });

  it('tells nothing internal', () => {
    const verdict = judge(new Error('password=sesame at /srv/kiln'), { failures: 2, runs: 3 });
    assert.ok(verdict.kind === 'fail' && !/sesame|srv/.test(verdict.error.message));
  });
});

it('delays keep to their bounds: full jitter from 2 s doubling to 60 s, and 1 to 5 s while a part is away', () => {
  const random = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
  fc.assert(
    fc.property(fc.nat(50), random, (failures, value) => {
      const delay = retryDelaySeconds(failures, () => value);
      assert.ok(delay >= 0 && delay <= Math.min(60, 2 * 2 ** failures));
      const postponed = postponeDelaySeconds(Math.min(failures, 10), () => value);
      assert.ok(postponed >= 1 && postponed <= 5);
      assert.ok(postponeDelaySeconds(10 + failures, () => value) <= 60);
    }),
  );
});

it('the runs of a job outlast forty minutes of a part being away', () => {
  let seconds = 0;
  for (let runs = 1; runs < 100; runs++) seconds += postponeDelaySeconds(runs, () => 0.5);
  assert.ok(seconds > 2_400, `${seconds} s`);
});
