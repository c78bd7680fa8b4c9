// Signature Version 4 in the Authorization header.
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
  type Credentials,
} from './signature.js';
import type { S3Request } from '../request.js';
import { S3Error } from '../s3-errors.js';

export function verifyAuthorizationHeader(
  request: S3Request,
  authorization: string,
  credentials: Credentials,
  nowMs: number,
): Authenticated {
  const { scope, signedHeaders, signature } = parseAuthorization(authorization);
  if (scope.accessKeyId !== credentials.accessKeyId) throw new S3Error('InvalidAccessKeyId');
  const amzDate = dateOf(request);
  const time = parseAmzDate(amzDate);
  if (time === undefined || !amzDate.startsWith(scope.date)) {
    throw new S3Error('AuthorizationHeaderMalformed', 'The request date is missing or differs from the credential.');
  }
  if (Math.abs(nowMs - time) > CLOCK_SKEW_MS) throw new S3Error('RequestTimeTooSkewed');
  const payloadHash = request.header('x-amz-content-sha256');
  if (payloadHash === undefined) throw new S3Error('InvalidRequest', 'The x-amz-content-sha256 header is required.');
  assertHeadersSigned(request, signedHeaders);
  const key = signingKey(credentials.secretAccessKey, scope);
  const { queryPairs } = request;
  const expected = calculateSignature(request, key, { signedHeaders, queryPairs, payloadHash, amzDate, scope });
  assertSameSignature(expected, signature);
  return { by: 'key', payloadHash, chunkSigning: { key, amzDate, scope: scope.text, seedSignature: signature } };
}

function parseAuthorization(text: string): {
  scope: NonNullable<ReturnType<typeof parseScope>>;
  signedHeaders: string[];
  signature: string;
} {
  if (!text.startsWith(`${ALGORITHM} `)) {
    throw new S3Error('InvalidRequest', `Only ${ALGORITHM} signatures are accepted.`);
  }
  const fields = new Map<string, string>();
  for (const field of text.slice(ALGORITHM.length).split(',')) {
    const at = field.indexOf('=');
    if (at > 0) fields.set(field.slice(0, at).trim(), field.slice(at + 1).trim());
  }
  const scope = parseScope(fields.get('Credential') ?? '');
  const signedHeaders = fields.get('SignedHeaders')?.split(';');
  const signature = fields.get('Signature');
  if (scope === undefined || signedHeaders === undefined || signature === undefined) {
    throw new S3Error('AuthorizationHeaderMalformed');
  }
  return { scope, signedHeaders, signature };
}

/** x-amz-date, or the HTTP Date header in the same form. */
function dateOf(request: S3Request): string {
  const amzDate = request.header('x-amz-date');
  if (amzDate !== undefined) return amzDate;
  const time = Date.parse(request.header('date') ?? '');
  return Number.isNaN(time) ? '' : new Date(time).toISOString().replace(/[-:]|\.\d{3}/g, '');
}
