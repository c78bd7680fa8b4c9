import { OutboundRefusedError } from '@kiln/outbound';
import { NoOwnCredentialsError, StorageError } from '@kiln/storage';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BucketError } from '../domain/bucket-error.js';
import { bucketErrorOf } from './bucket-failure.js';

const vendor = (fields: object, message = 'boom') => Object.assign(new Error(message), fields);
const failed = (code: ConstructorParameters<typeof StorageError>[0], cause: unknown) =>
  new StorageError(code, `listing: ${cause instanceof Error ? cause.message : ''}`, { cause });
const told = (error: unknown, secrets: string[] = []) => {
  const { code, message, retryable } = bucketErrorOf(error, secrets);
  return { code, message, retryable };
};

describe('what went wrong with a bucket', () => {
  it('is told in the words of the provider', () => {
    const denied = failed('access_denied', vendor({ name: 'InvalidAccessKeyId' }, 'The key does not exist.'));
    assert.deepEqual(told(denied), {
      code: 'access_denied',
      message: 'The provider refused the credentials: The key does not exist.',
      retryable: false,
    });
    const google = vendor(
      { response: { status: 404, data: { error: { message: 'No bucket here.' } } } },
      'Request failed',
    );
    assert.deepEqual(told(failed('not_found', google)), {
      code: 'bucket_not_found',
      message: 'There is no such bucket: No bucket here.',
      retryable: false,
    });
    const azure = failed(
      'invalid',
      vendor({ code: 'ContainerNotFound' }, 'The container does not exist.\nRequestId: 1'),
    );
    assert.deepEqual(told(azure).message, 'There is no such bucket: The container does not exist.');
    assert.equal(
      told(failed('access_denied', vendor({}, 'UnknownError'))).message,
      'The provider refused the credentials.',
    );
  });

  it('never holds a secret, a control character, or more than one line of it', () => {
    const echo = failed('invalid', vendor({}, 'The signature \u001b[31mof s3cr/et+ is wrong\r\nstack\nof things'));
    assert.deepEqual(
      told(echo, ['s3cr/et+']).message,
      'The provider refused the request: The signature  [31mof [redacted] is wrong',
    );
    const long = told(failed('invalid', vendor({}, 'x'.repeat(9_000)))).message;
    assert.ok(long.length < 400);
  });

  it('is told apart when the endpoint was never reached', () => {
    const codes = {
      ECONNREFUSED: /refused the connection/,
      ENOTFOUND: /does not resolve/,
      ECONNRESET: /closed the connection/,
      DEPTH_ZERO_SELF_SIGNED_CERT: /certificate/,
      ERR_SSL_WRONG_VERSION_NUMBER: /TLS/,
      HPE_INVALID_CONSTANT: /HTTP/,
    };
    for (const [code, words] of Object.entries(codes)) {
      const result = told(failed('unavailable', vendor({ code }, `connect ${code} 10.1.2.3:443`)));
      assert.equal(result.code, 'unreachable', code);
      assert.match(result.message, words);
      assert.ok(!result.message.includes('10.1.2.3'), 'no address of a network that may be private');
    }
    const late = new StorageError('unavailable', 'listing: no answer within 8000 ms', { retryable: true });
    assert.deepEqual([told(late).code, told(late).retryable], ['timeout', true]);
    const both = new AggregateError([vendor({ code: 'ECONNREFUSED' })], 'all failed');
    assert.equal(told(failed('unavailable', both)).code, 'unreachable');
  });

  it('names the status of a provider that can not answer now, and the moment it asks to be left alone until', () => {
    const headers = { 'retry-after': '7' };
    const shapes = {
      aws: { name: 'SlowDown', $response: { statusCode: 503, headers } },
      google: { code: 503, response: { status: 503, headers } },
      azure: { statusCode: 503, response: { status: 503, headers: new Headers(headers) } },
    };
    for (const [sdk, fields] of Object.entries(shapes)) {
      const error = bucketErrorOf(failed('unavailable', vendor(fields, 'Slow down.')), []);
      assert.deepEqual(
        [error.message, error.retryable, error.retryAfterSeconds],
        ['The provider answered 503: Slow down.', true, 7],
        sdk,
      );
    }
  });

  it('is told apart when Kiln itself would not or could not', () => {
    const refused = failed('unavailable', new OutboundRefusedError('leads to a private, local or reserved address'));
    assert.deepEqual(told(refused), {
      code: 'endpoint_not_allowed',
      message: 'The endpoint is refused: it leads to a private, local or reserved address.',
      retryable: false,
    });
    const none = failed('invalid', new NoOwnCredentialsError('none'));
    assert.equal(told(none).code, 'not_configured');
    assert.match(told(none).message, /operator .* no AWS credentials/);
  });

  it('stays what it is when it was told already', () => {
    const error = new BucketError('timeout', 'late');
    assert.equal(bucketErrorOf(error, []), error);
  });
});
