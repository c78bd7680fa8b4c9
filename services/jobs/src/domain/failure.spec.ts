import { conflict, notFound, unavailable } from '@kiln/contracts';
import { ExtractionError } from '@kiln/extraction';
import { StorageError } from '@kiln/storage';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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

  it('is tried again after a fault of ours, three times in all', () => {
    assert.equal(judge(new Error('bug'), { failures: 0, runs: 1 }).kind, 'retry');
    assert.equal(judge(new Error('bug'), { failures: 1, runs: 2 }).kind, 'retry');
    assert.equal(judge(new Error('bug'), { failures: 2, runs: 3 }).kind, 'fail');
  });

  it('is only delayed, and never counted, while a part of Kiln is away', () => {
    assert.equal(judge(unavailable('The files service'), { failures: 2, runs: 50 }).kind, 'postpone');
    assert.equal(judge(new StorageError('unavailable', 'storage is away'), { failures: 2, runs: 3 }).kind, 'postpone');
  });

  it('ends after a hundred runs whatever the reason, so that nothing goes round for ever', () => {
    assert.equal(judge(unavailable('The files service'), { failures: 0, runs: 100 }).kind, 'fail');
  });

  it('of a deleted file, or of one that a newer job has taken over, is simply cancelled', () => {
    assert.equal(judge(notFound(), fresh).kind, 'cancel');
    assert.equal(judge(conflict('A newer run'), fresh).kind, 'cancel');
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
