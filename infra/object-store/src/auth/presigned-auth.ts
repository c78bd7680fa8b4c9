// Signature Version 4 in the query string: URLs that grant a permission until they expire.
import type { Authenticated } from './authenticated.js';
import {
  ALGORITHM,
  assertHeadersSigned,
  assertSameSignature,
  calculateSignature,
  CLOCK_SKEW_MS,
  parseAmzDate,
  parseScope,
  signingKey,
  UNSIGNED_PAYLOAD,
  type Credentials,
} from './signature.js';
import type { S3Request } from '../request.js';
import { S3Error } from '../s3-errors.js';

const EXPIRES_MAX_SECONDS = 7 * 24 * 3600;

export const isPresigned = (request: S3Request): boolean => request.query('X-Amz-Algorithm') !== undefined;

export function verifyPresignedUrl(request: S3Request, credentials: Credentials, nowMs: number): Authenticated {
  if (request.query('X-Amz-Algorithm') !== ALGORITHM) throw malformed(`X-Amz-Algorithm must be ${ALGORITHM}.`);
  const scope = parseScope(required(request, 'X-Amz-Credential'));
  if (scope === undefined) throw malformed('X-Amz-Credential is not valid.');
  if (scope.accessKeyId !== credentials.accessKeyId) throw new S3Error('InvalidAccessKeyId');
  const amzDate = required(request, 'X-Amz-Date');
  const time = parseAmzDate(amzDate);
  if (time === undefined || !amzDate.startsWith(scope.date)) throw malformed('X-Amz-Date is not valid.');
  const expiresSeconds = Number(required(request, 'X-Amz-Expires'));
  if (!Number.isInteger(expiresSeconds) || expiresSeconds < 1 || expiresSeconds > EXPIRES_MAX_SECONDS) {
    throw malformed(`X-Amz-Expires must be 1 to ${EXPIRES_MAX_SECONDS} seconds.`);
  }
  const signedHeaders = required(request, 'X-Amz-SignedHeaders').split(';');
  assertHeadersSigned(request, signedHeaders);
  const payloadHash =
    request.header('x-amz-content-sha256') ?? request.query('X-Amz-Content-Sha256') ?? UNSIGNED_PAYLOAD;
  const queryPairs = request.queryPairs.filter(([name]) => name !== 'X-Amz-Signature');
  const key = signingKey(credentials.secretAccessKey, scope);
  const expected = calculateSignature(request, key, { signedHeaders, queryPairs, payloadHash, amzDate, scope });
  assertSameSignature(expected, required(request, 'X-Amz-Signature'));
  // Checked only after the signature, so that a forged URL reveals nothing.
  if (time - nowMs > CLOCK_SKEW_MS) throw new S3Error('AccessDenied', 'The URL is not valid yet.');
  if (nowMs > time + expiresSeconds * 1000) throw new S3Error('AccessDenied', 'Request has expired');
  return { by: 'signed-url', payloadHash };
}

function required(request: S3Request, name: string): string {
  const value = request.query(name);
  if (value === undefined || value === '') throw malformed(`${name} is missing.`);
  return value;
}

const malformed = (message: string): S3Error => new S3Error('AuthorizationQueryParametersError', message);
