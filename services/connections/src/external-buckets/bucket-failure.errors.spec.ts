import { describe, expect, it } from '@jest/globals';
import { OutboundRefusedError } from '@kiln/outbound';
import { NoOwnCredentialsError, StorageError } from '@kiln/storage';
import { bucketErrorOf } from './bucket-failure.errors.js';
import { BucketError } from './domain/bucket-error.js';

const vendor = (fields: object, message = 'boom') => Object.assign(new Error(message), fields);
const failed = (code: ConstructorParameters<typeof StorageError>[0], cause: unknown) =>
  new StorageError(code, `listing: ${cause instanceof Error ? cause.message : ''}`, { cause });
const errorOf = (error: unknown, secrets: string[] = []) => {
  const { code, message, retryable } = bucketErrorOf(error, secrets);
  return { code, message, retryable };
};

describe('the error of a bucket', () => {
  it('contains the reason of the provider', () => {
    const denied = failed('access_denied', vendor({ name: 'InvalidAccessKeyId' }, 'The key does not exist.'));
    expect(errorOf(denied)).toStrictEqual({
      code: 'access_denied',
      message: 'The provider refused the credentials: The key does not exist.',
      retryable: false,
    });
    const google = vendor(
      { response: { status: 404, data: { error: { message: 'No bucket here.' } } } },
      'Request failed',
    );
    expect(errorOf(failed('not_found', google))).toStrictEqual({
      code: 'bucket_not_found',
      message: 'There is no such bucket: No bucket here.',
      retryable: false,
    });
    const azure = failed(
      'invalid',
      vendor({ code: 'ContainerNotFound' }, 'The container does not exist.\nRequestId: 1'),
    );
    expect(errorOf(azure).message).toStrictEqual('There is no such bucket: The container does not exist.');
    expect(errorOf(failed('access_denied', vendor({}, 'UnknownError'))).message).toBe(
      'The provider refused the credentials.',
    );
  });

  it('is one line without secrets and control characters', () => {
    const echo = failed('invalid', vendor({}, 'The signature \u001b[31mof s3cr/et+ is wrong\r\nstack\nof things'));
    expect(errorOf(echo, ['s3cr/et+']).message).toStrictEqual(
      'The provider refused the request: The signature  [31mof [redacted] is wrong',
    );
    const long = errorOf(failed('invalid', vendor({}, 'x'.repeat(9_000)))).message;
    expect(long.length).toBeLessThan(400);
  });

  it('says so when the endpoint was not reached', () => {
    const refused = failed('unavailable', vendor({ code: 'ECONNREFUSED' }, 'connect ECONNREFUSED 10.1.2.3:443'));
    expect(errorOf(refused)).toStrictEqual({
      code: 'unreachable',
      message: 'The endpoint refused the connection.',
      retryable: true,
    });
    const untrusted = failed('unavailable', vendor({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }));
    expect([errorOf(untrusted).code, errorOf(untrusted).retryable]).toStrictEqual(['unreachable', false]);
    for (const fields of [{ code: 'ETIMEDOUT' }, { name: 'TimeoutError' }]) {
      const { code, retryable } = errorOf(failed('unavailable', vendor(fields)));
      expect([code, retryable]).toStrictEqual(['timeout', true]);
    }
  });

  const headers = { 'retry-after': '7' };
  const errorsOfSdks = {
    AWS: { name: 'SlowDown', $response: { statusCode: 503, headers } },
    Google: { code: 503, response: { status: 503, headers } },
    Azure: { statusCode: 503, response: { status: 503, headers: new Headers(headers) } },
  };
  it.each(Object.entries(errorsOfSdks))(
    'contains the status and the Retry-After of %s when it is busy',
    (_, fields) => {
      const error = bucketErrorOf(failed('unavailable', vendor(fields, 'Slow down.')), []);
      expect(error.message).toBe('The provider answered 503: Slow down.');
      expect([error.retryable, error.retryAfterSeconds]).toStrictEqual([true, 7]);
    },
  );

  it('says so when Kiln itself refused or failed', () => {
    const refused = failed('unavailable', new OutboundRefusedError('leads to a private, local or reserved address'));
    expect(errorOf(refused)).toStrictEqual({
      code: 'endpoint_not_allowed',
      message: 'The endpoint is not allowed: it leads to a private, local or reserved address.',
      retryable: false,
    });
    const none = failed('invalid', new NoOwnCredentialsError('none'));
    expect(errorOf(none).code).toBe('not_configured');
    expect(errorOf(none).message).toMatch(/operator .* no AWS credentials/);
  });

  it('is not wrapped twice', () => {
    const error = new BucketError('timeout', 'late');
    expect(bucketErrorOf(error, [])).toBe(error);
  });
});
